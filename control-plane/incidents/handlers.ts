import { ApiError } from '#contract/errors.ts';
import { MAX_EXPORTED } from '#contract/filters.ts';
import type { incidentRoutes } from '#contract/incidents.ts';
import { severities } from '#contract/policy-actions.ts';
import { withAudit } from '../audit/with-audit.ts';
import type { Handlers } from '../handler.ts';
import { pageOf } from '../http/pagination.ts';
import { listFile } from '../lib/list-file.ts';
import { countOf } from '../storage/bounded-count.ts';
import type { Storage } from '../storage/open.ts';
import { listGroups, listTrend } from './group-queries.ts';
import { type Trend, trendOf } from './group-rules.ts';
import { withRunContexts } from './with-run-contexts.ts';
import {
  changeIncidents,
  eachIncident,
  findIncident,
  type IncidentFilter,
  incidentsOf,
  listAssignees,
  listIncidents,
} from './queries.ts';
import { refuseUnknownAssignee, updateIncidents } from './update-incidents.ts';

const ROWS_AT_ONCE = 1000;

export const incidentHandlers: Handlers<typeof incidentRoutes> = {
  async listIncidents({ storage: { reader } }, { caller, query, url }) {
    const page = await listIncidents(reader, caller.tenantId, query);
    const rows = await withRunContexts(reader, caller.tenantId, page.rows);
    return pageOf(url, query, { ...page, rows });
  },

  async listIncidentGroups(context, { caller, query, url }) {
    const { reader } = context.storage;
    const { limit, offset, sort, ...filter } = query;
    const { tenantId } = caller;
    const trend = trendOf({ start: filter.start, end: filter.end, now: context.now() });
    const found = await listGroups(reader, tenantId, filter, { sort, limit, offset });
    const ids = found.rows.map(({ group_id }) => group_id);
    const [latest, points] = await Promise.all([
      withRunContexts(reader, tenantId, found.latest),
      listTrend(reader, tenantId, ids, trend),
    ]);
    const latestOf = new Map(latest.map((incident) => [incident.id, incident]));
    const pointsOf = Map.groupBy(points, ({ group_id }) => group_id);
    const rows = found.rows.flatMap(({ rank, latest_id, unassigned, ...group }) => {
      const incident = latestOf.get(latest_id);
      // It was deleted in the meantime.
      if (!incident) return [];
      const isCommon = group.assignee_count === 1 && unassigned === 0;
      return {
        ...group,
        severity: severities[rank] ?? 'medium',
        assignee_id: isCommon ? group.assignee_id : null,
        trend: valuesOf(pointsOf.get(group.group_id) ?? [], trend),
        latest: incident,
      };
    });
    return {
      ...pageOf(url, query, { rows, count: found.groups }),
      incident_count: found.incidents,
      trend_start: trend.start,
      trend_seconds: trend.step / 1000,
    };
  },

  async exportIncidents({ storage: { reader } }, { caller, query }) {
    const { format, ...filter } = query;
    const count = await countOf(incidentsOf(reader, caller.tenantId, filter));
    if (count > MAX_EXPORTED)
      throw new ApiError(
        'validation_error',
        `the filter matches ${count} incidents: at most ${MAX_EXPORTED} can be exported at once`,
      );
    const batches = exportedIncidents(reader, caller.tenantId, filter);
    return listFile({ format, name: 'incidents', fields: exported, batches });
  },

  listAssignees: async ({ storage: { db } }, { caller }) => ({
    results: await listAssignees(db, caller.tenantId),
  }),

  updateIncidents: (context, request) =>
    updateIncidents(context, request, request.body.filter, request.body.changes),

  async getIncident({ storage: { db } }, { caller, params }) {
    const existing =
      (await findIncident(db, caller.tenantId, params.id)) ?? throwNotFound(params.id);
    return oneOf(await withRunContexts(db, caller.tenantId, [existing]));
  },

  async updateIncident(context, request) {
    const { params, body, caller } = request;
    const { tenantId } = caller;
    const after = await withAudit(context, request, async (tx, audit) => {
      const { id } = params;
      const before = (await findIncident(tx.db, tenantId, id)) ?? throwNotFound(id);
      await refuseUnknownAssignee(tx.db, tenantId, body);
      const changes = { ...settledBy(before), ...definedOf(body) };
      const updated_at = context.now();
      await changeIncidents(tx, tenantId, [id], { ...changes, updated_at });
      audit({
        action: 'incident.update',
        resource_type: 'incident',
        resource_id: id,
        before: settledBy(before),
        after: changes,
      });
      return { ...before, ...changes, updated_at };
    });
    return oneOf(await withRunContexts(context.storage.db, tenantId, [after]));
  },
};

type Incident = NonNullable<Awaited<ReturnType<typeof findIncident>>>;

const settledBy = ({ status, severity, assignee_id, note }: Incident) => ({
  status,
  severity,
  assignee_id,
  note,
});

const definedOf = <T extends object>(changes: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };

function oneOf<T>([one]: T[]): T {
  if (one === undefined) throw new Error('incident missing from its own list');
  return one;
}

function valuesOf(
  points: readonly { point: number; occurrences: number }[],
  trend: Trend,
): number[] {
  const values = Array.from({ length: trend.points }, () => 0);
  for (const { point, occurrences } of points) values[point] = occurrences;
  return values;
}

const exported = [
  'id',
  'group_id',
  'source',
  'policy_id',
  'policy_name',
  'category',
  'action',
  'reason',
  'agent_name',
  'workflow_name',
  'run_id',
  'hostname',
  'app_name',
  'status',
  'severity',
  'assignee',
  'obeyed',
  'note',
  'occurrences',
  'created_at',
  'last_seen_at',
  'updated_at',
] as const;

async function* exportedIncidents(
  reader: Storage['reader'],
  tenantId: string,
  filter: IncidentFilter,
) {
  const iso = (ms: number) => new Date(ms).toISOString();
  const users = await listAssignees(reader, tenantId);
  const emails = new Map(users.map(({ id, email }) => [id, email]));
  for await (const rows of eachIncident(reader, tenantId, filter, ROWS_AT_ONCE)) {
    const incidents = await withRunContexts(reader, tenantId, rows);
    yield incidents.map((incident) => ({
      ...incident,
      not_in_force: incident.not_in_force ?? [],
      assignee: incident.assignee_id && (emails.get(incident.assignee_id) ?? incident.assignee_id),
      created_at: iso(incident.created_at),
      updated_at: iso(incident.updated_at),
      last_seen_at: iso(incident.last_seen_at),
    }));
  }
}

function throwNotFound(id: string): never {
  throw new ApiError('not_found', `there is no incident ${id}`);
}
