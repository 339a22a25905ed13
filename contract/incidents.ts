import { z } from 'zod';
import { evaluationFilters } from './evaluations.ts';
import {
  count,
  idParam,
  jsonObject,
  page,
  paging,
  range,
  sortBy,
  startBeforeEnd,
  timestamp,
} from './fields.ts';
import { downloads, exportFormat, MAX_EXPORTED, repeatable } from './filters.ts';
import { actions, severities } from './policy-actions.ts';
import { routes } from './route.ts';

const action = z.enum(actions);

export const incidentStatus = z.enum(['open', 'acknowledged', 'resolved']);
export const incidentSource = z.enum(['policy', 'inventory']);
export const incidentSeverity = z.enum(severities);

const assignee = z.string().nullable().meta({ description: 'id of a user; null: none' });

export const incident = z.object({
  id: z.string(),
  group_id: z.string().meta({
    description: 'shared by the incidents of one policy, agent, action and cause',
  }),
  source: incidentSource.meta({
    description: 'a policy, or an inventory rule',
  }),
  run_id: z.int().nullable(),
  policy_id: z.string().meta({ description: 'id of the policy or the inventory rule' }),
  policy_name: z.string(),
  category: z.string().meta({ description: '`inventory` for inventory rules' }),
  action,
  reason: z.string(),
  metadata: jsonObject,
  agent_name: z.string().meta({ description: 'empty for inventory rules' }),
  workflow_name: z.string(),
  device_id: z.string().nullable().meta({ description: 'null for policies' }),
  hostname: z.string().nullable(),
  app_group_id: z.string().nullable(),
  app_name: z.string().nullable(),
  not_in_force: z.array(z.string()).optional().meta({
    description:
      'processes that the rule blocks but the device does not, because it can block at most 500 names',
  }),
  status: incidentStatus,
  severity: incidentSeverity.meta({ description: 'initially that of the policy' }),
  assignee_id: assignee,
  note: z.string(),
  occurrences: count.meta({ description: 'number of occurrences while it was open' }),
  created_at: timestamp,
  updated_at: timestamp,
  last_seen_at: timestamp.meta({ description: 'time of the latest occurrence' }),
});

/** An incident with the facts that are known about its run. */
export const incidentInContext = incident.extend({
  obeyed: z.enum(['yes', 'no', 'unknown']).nullable().meta({
    description:
      'whether the run stopped after the block (`yes`) or continued (`no`); null: not a block, or the run had already ended',
  }),
  record: z
    .object({ kind: z.enum(['llm_call', 'tool']), id: z.string() })
    .nullable()
    .meta({ description: 'the last LLM call or tool call recorded on its run before it' }),
  run_device: z
    .object({ id: z.string(), hostname: z.string() })
    .nullable()
    .meta({ description: 'the device that reported its run' }),
});

const session = { auth: 'session', role: 'viewer', errors: 'text' } as const;

const incidentPath = z.object({ id: z.string() });

/** The filters of incidents and their groups. The names are those of the list's query. */
const filters = {
  policy_id: z.string().optional(),
  category: z.string().optional(),
  action: action.optional(),
  agent: z.string().optional(),
  run_id: idParam.optional(),
  status: incidentStatus.optional(),
  source: incidentSource.optional(),
  device_id: z.string().optional(),
  severity: incidentSeverity.optional(),
  assignee: z.string().optional().meta({ description: 'id of a user, or `none`' }),
  search: z.string().max(200).optional().meta({
    description: 'part of the reason, the note, or the name of policy, agent, device or app',
  }),
  group: repeatable.meta({ description: 'group_id' }),
  ...range,
};

const changes = {
  status: incidentStatus.optional(),
  severity: incidentSeverity.optional(),
  assignee_id: assignee.optional(),
  note: z.string().max(10_000).optional(),
};
const somethingChanges = (body: object) => Object.values(body).some((value) => value !== undefined);
const EXPECTED_CHANGE = 'expected `status`, `severity`, `assignee_id` or `note`';

/** The fields by which groups of incidents can be sorted. */
export const incidentGroupSorts = [
  'last_seen',
  'first_seen',
  'incidents',
  'occurrences',
  'severity',
] as const;

/** The maximum number of points in a trend. */
export const TREND_POINTS = 24;

export const incidentGroup = z.object({
  group_id: z.string(),
  incident_count: count,
  occurrences: count,
  open: count.meta({ description: 'number of open incidents' }),
  acknowledged: count,
  resolved: count,
  severity: incidentSeverity.meta({ description: 'the worst' }),
  assignee_id: assignee.meta({ description: 'null also if the incidents have different ones' }),
  assignee_count: count.meta({ description: 'number of different assignees' }),
  first_seen: timestamp,
  last_seen: timestamp,
  trend: z.array(count).meta({
    description:
      'occurrences over time, whatever the other filters: `trend_seconds` for each, from `trend_start`',
  }),
  latest: incidentInContext.meta({ description: 'the incident opened last' }),
});

export const incidentRoutes = routes({
  listIncidents: {
    ...session,
    method: 'GET',
    path: '/api/v1/observability/incidents/',
    summary: 'List incidents: warnings and blocks to review, newest first',
    query: z.object({ ...evaluationFilters, ...filters }).check(startBeforeEnd),
    response: page(incidentInContext),
  },
  listIncidentGroups: {
    ...session,
    method: 'GET',
    path: '/api/v1/observability/incidents/groups/',
    summary: 'List incidents grouped by policy, agent and cause',
    query: z
      .object({ ...paging, ...filters, sort: sortBy(incidentGroupSorts, '-last_seen') })
      .check(startBeforeEnd),
    response: page(incidentGroup).extend({
      incident_count: count.meta({ description: 'in all groups' }),
      trend_start: timestamp,
      trend_seconds: count,
    }),
  },
  exportIncidents: {
    ...session,
    method: 'GET',
    path: '/api/v1/observability/incidents/export/',
    summary: `Download the incidents that a filter matches, at most ${MAX_EXPORTED.toLocaleString('en')}`,
    query: z.object({ ...filters, format: exportFormat }).check(startBeforeEnd),
    response: z.string(),
    downloads,
  },
  listAssignees: {
    ...session,
    method: 'GET',
    path: '/api/v1/observability/incidents/assignees/',
    summary: 'List the users that incidents can be assigned to, by email',
    response: z.object({ results: z.array(z.object({ id: z.string(), email: z.string() })) }),
  },
  updateIncidents: {
    ...session,
    role: 'analyst',
    method: 'POST',
    path: '/api/v1/observability/incidents/update/',
    summary: 'Change all incidents that a filter matches, in one transaction',
    body: z.strictObject({
      filter: z
        .strictObject({
          ...filters,
          run_id: z.int().optional(),
          group: z.array(z.string()).max(1000).optional(),
          ids: z.array(z.string()).max(1000).optional(),
          start: timestamp.optional(),
          end: timestamp.optional(),
        })
        .check(startBeforeEnd)
        .meta({ description: 'as in the list; `{}` for all incidents' }),
      changes: z
        .strictObject(changes)
        .refine(somethingChanges, EXPECTED_CHANGE)
        .meta({ examples: [{ status: 'acknowledged' }] }),
    }),
    response: z.object({ changed: count }),
  },
  getIncident: {
    ...session,
    method: 'GET',
    path: '/api/v1/observability/incidents/{id}/',
    summary: 'One incident',
    params: incidentPath,
    response: incidentInContext,
  },
  updateIncident: {
    ...session,
    role: 'analyst',
    method: 'PATCH',
    path: '/api/v1/observability/incidents/{id}/',
    summary: 'Acknowledge, resolve or reopen an incident, or change its severity, assignee or note',
    params: incidentPath,
    body: z
      .strictObject(changes)
      .refine(somethingChanges, EXPECTED_CHANGE)
      .meta({ examples: [{ status: 'acknowledged', note: 'expected: the quarterly import' }] }),
    response: incidentInContext,
  },
});
