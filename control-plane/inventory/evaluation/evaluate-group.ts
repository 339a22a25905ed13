import { incidentGroupId } from '../../lib/incident-group.ts';
import { countIncident } from '../../storage/incident-hours.ts';
import type { Context } from '../../context.ts';
import type { IncidentTable } from '../../storage/tables/governance.ts';
import type { Tx } from '../../storage/transaction.ts';
import { recordBlocksBefore } from '../blocks-due.ts';
import type { GroupFacts } from '../matching.ts';
import {
  changeIncident,
  deleteBlock,
  insertIncidents,
  listBlocksAt,
  listIncidentsAt,
  listAppsOnDevices,
  putBlock,
} from './evaluation-queries.ts';
import {
  changeOf,
  type Finding,
  findingOf,
  type GroupOnDevice,
  type StoredRule,
  incidentFields,
} from './transitions.ts';

export interface Evaluated {
  /** Whether incidents were opened or closed. */
  incidents: boolean;
  /** Whether the blocks of a rule have changed. */
  blocks: boolean;
}

/** The facts of a group without apps, in which no rule has findings. */
export const EMPTY_GROUP = { kind: 'cli', name: '', catalog_id: null } as const;

/** Applies rules to a group of apps on these devices, and updates incidents and blocks. */
export async function evaluateGroup(
  tx: Tx,
  context: Context,
  tenantId: string,
  what: {
    rules: readonly StoredRule[];
    group: GroupFacts & { id: string };
    devices: readonly string[];
  },
): Promise<Evaluated> {
  const places = await listAppsOnDevices(tx.db, tenantId, what.group, what.devices);
  const incidents = await updateRuleIncidents(tx, context, tenantId, { ...what, places });
  const blocks = await updateBlocks(tx, context, tenantId, { ...what, places });
  return { incidents, blocks };
}

interface RulesOnDevices {
  rules: readonly StoredRule[];
  group: GroupFacts & { id: string };
  devices: readonly string[];
  places: readonly GroupOnDevice[];
}

const keyOf = (ruleId: string, deviceId: string | null): string => `${ruleId} ${deviceId}`;

async function updateRuleIncidents(
  tx: Tx,
  context: Context,
  tenantId: string,
  { rules, group, devices, places }: RulesOnDevices,
): Promise<boolean> {
  const at = { rules: rules.map(({ id }) => id), devices };
  const known = await listIncidentsAt(tx, tenantId, group.id, at);
  const byPlace = new Map(known.map((one) => [keyOf(one.policy_id, one.device_id), one]));
  const opened: IncidentTable[] = [];
  let changed = false;
  for (const rule of rules)
    for (const place of places) {
      const before = byPlace.get(keyOf(rule.id, place.device.id));
      const finding = findingOf(rule, place);
      if (!before) {
        if (finding) opened.push(incidentOf(context, tenantId, { rule, place, finding }));
        continue;
      }
      const change = changeOf(before, rule, place, context.now());
      if (change === null) continue;
      changed = true;
      await changeIncident(tx, tenantId, before.id, change);
      const { group_id, last_seen_at } = change;
      if (change.occurrences !== undefined && group_id !== undefined && last_seen_at !== undefined)
        await countIncident(tx, { tenant_id: tenantId, group_id, last_seen_at });
    }
  await insertIncidents(tx, opened);
  for (const incident of opened) await context.notify(tx, { event: 'incident.raised', incident });
  return changed || opened.length > 0;
}

const incidentOf = (
  context: Context,
  tenant_id: string,
  { rule, place, finding }: { rule: StoredRule; place: GroupOnDevice; finding: Finding },
): IncidentTable => ({
  tenant_id,
  id: context.newId('inc'),
  group_id: incidentGroupId({
    policy_id: rule.id,
    agent_name: '',
    ...incidentFields(rule, place, finding),
  }),
  source: 'inventory',
  run_id: null,
  policy_id: rule.id,
  ...incidentFields(rule, place, finding),
  category: 'inventory',
  agent_name: '',
  workflow_name: '',
  device_id: place.device.id,
  hostname: place.device.hostname,
  app_group_id: place.group.id,
  app_name: place.group.name,
  holds: 1,
  status: 'open',
  severity: rule.action === 'block' ? 'high' : 'medium',
  assignee_id: null,
  note: '',
  occurrences: 1,
  created_at: context.now(),
  last_seen_at: context.now(),
  updated_at: context.now(),
});

async function updateBlocks(
  tx: Tx,
  context: Context,
  tenant_id: string,
  { rules, group, devices, places }: RulesOnDevices,
): Promise<boolean> {
  const known = await listBlocksAt(tx, tenant_id, group.id, devices);
  const byPlace = new Map(known.map((one) => [keyOf(one.rule_id, one.device_id), one.processes]));
  let changed = false;
  for (const rule of rules)
    for (const place of places) {
      const processes = findingOf(rule, place)?.processes ?? [];
      const before = byPlace.get(keyOf(rule.id, place.device.id));
      const after = processes.length === 0 ? undefined : JSON.stringify(processes);
      if (before === after) continue;
      changed = true;
      await recordBlocksBefore(tx, tenant_id, place.device.id);
      const key = {
        tenant_id,
        device_id: place.device.id,
        rule_id: rule.id,
        app_group_id: group.id,
      };
      if (after === undefined) await deleteBlock(tx, key);
      else await putBlock(tx, { ...key, app_name: group.name, processes: after });
    }
  return changed;
}
