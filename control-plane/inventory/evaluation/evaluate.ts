import type { Context } from '../../context.ts';
import type { Rows } from '../../storage/bulk.ts';
import type { Trx } from '../../storage/open.ts';
import { noteBlocksChange } from '../blocks-due.ts';
import type { GroupFacts } from '../matching.ts';
import {
  changeIncident,
  deleteBlock,
  insertIncidents,
  listBlocksAt,
  listIncidentsAt,
  listPlaces,
  putBlock,
} from './evaluation-queries.ts';
import {
  changeOf,
  type Finding,
  find,
  type Place,
  type StoredRule,
  incidentFields,
} from './transitions.ts';

export interface Evaluated {
  /** Were incidents opened or closed? */
  incidents: boolean;
  /** Have the blocks of a rule changed? */
  blocks: boolean;
}

/** Applies rules to a group of apps on these devices, and updates incidents and blocks. */
export async function evaluate(
  context: Context,
  trx: Trx,
  tenantId: string,
  what: {
    rules: readonly StoredRule[];
    group: GroupFacts & { id: string };
    devices: readonly string[];
  },
): Promise<Evaluated> {
  const { bulk } = context.storage;
  const places = await listPlaces({ db: trx, bulk }, tenantId, what.group, what.devices);
  const incidents = await settleIncidents(context, trx, tenantId, { ...what, places });
  const blocks = await settleBlocks(context, trx, tenantId, { ...what, places });
  return { incidents, blocks };
}

interface Settling {
  rules: readonly StoredRule[];
  group: GroupFacts & { id: string };
  devices: readonly string[];
  places: readonly Place[];
}

const keyOf = (ruleId: string, deviceId: string | null): string => `${ruleId} ${deviceId}`;

async function settleIncidents(
  context: Context,
  trx: Trx,
  tenantId: string,
  { rules, group, devices, places }: Settling,
): Promise<boolean> {
  const at = { rules: rules.map(({ id }) => id), devices };
  const { bulk } = context.storage;
  const known = await listIncidentsAt({ trx, bulk }, tenantId, group.id, at);
  const byPlace = new Map(known.map((one) => [keyOf(one.policy_id, one.device_id), one]));
  const opened: Rows<'incidents'>[number][] = [];
  let changed = false;
  for (const rule of rules)
    for (const place of places) {
      const before = byPlace.get(keyOf(rule.id, place.device.id));
      const finding = find(rule, place);
      if (!before) {
        if (finding) opened.push(incidentOf(context, tenantId, { rule, place, finding }));
        continue;
      }
      const change = changeOf(before, rule, place, context.now());
      if (change === null) continue;
      changed = true;
      await changeIncident(trx, tenantId, before.id, change);
    }
  await insertIncidents(trx, opened);
  return changed || opened.length > 0;
}

const incidentOf = (
  context: Context,
  tenant_id: string,
  { rule, place, finding }: { rule: StoredRule; place: Place; finding: Finding },
): Rows<'incidents'>[number] => ({
  tenant_id,
  id: context.newId('inc'),
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
  note: '',
  occurrences: 1,
  created_at: context.now(),
  updated_at: context.now(),
});

async function settleBlocks(
  context: Context,
  trx: Trx,
  tenant_id: string,
  { rules, group, devices, places }: Settling,
): Promise<boolean> {
  const { bulk } = context.storage;
  const known = await listBlocksAt({ trx, bulk }, tenant_id, group.id, devices);
  const byPlace = new Map(known.map((one) => [keyOf(one.rule_id, one.device_id), one.processes]));
  let changed = false;
  for (const rule of rules)
    for (const place of places) {
      const processes = find(rule, place)?.processes ?? [];
      const before = byPlace.get(keyOf(rule.id, place.device.id));
      const after = processes.length === 0 ? undefined : JSON.stringify(processes);
      if (before === after) continue;
      changed = true;
      await noteBlocksChange(trx, tenant_id, place.device.id);
      const key = {
        tenant_id,
        device_id: place.device.id,
        rule_id: rule.id,
        app_group_id: group.id,
      };
      if (after === undefined) await deleteBlock(trx, key);
      else await putBlock(trx, { ...key, app_name: group.name, processes: after });
    }
  return changed;
}
