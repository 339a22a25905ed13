import type { Context } from '../../context.ts';
import { sleep } from '../../lib/sleep.ts';
import type { Trx } from '../../storage/open.ts';
import { nextConfigVersion } from '../../guard/queries.ts';
import { gatherGroup } from '../gather-group.ts';
import { type Gathered, storeGroup } from '../group-queries.ts';
import { evaluate } from './evaluate.ts';
import {
  type Change,
  deleteChanges,
  listActiveRules,
  listChanges,
  type Pair,
} from './evaluation-queries.ts';

/** A slice holds SQLite's one connection for some tens of milliseconds. */
const CHANGES_PER_SLICE = 500;
const GROUPS_PER_SLICE = 25;

export const START: Pair = { group_id: '', device_id: '' };

/** What evaluates rules of a tenant takes turns with what changes them, in every process. */
export const inventoryLock = (tenantId: string): string => `inventory of ${tenantId}`;

/**
 * Works off which apps of a tenant changed: puts their groups together anew and applies the rules, in
 * slices that are each done or not done at all. Changes of one group stand together, so that it is put
 * together once for many devices.
 */
export async function workOffChanges(
  context: Context,
  tenantId: string,
  stopping: AbortSignal,
): Promise<void> {
  for (let after = START; !stopping.aborted;) {
    const began = performance.now();
    const listed = await listChanges(context.storage.db, tenantId, after, CHANGES_PER_SLICE);
    const slice = firstGroups(listed);
    const last = slice.at(-1);
    if (!last) return;
    await workOffSlice(context, tenantId, slice);
    after = last;
    // At most half of the database's time: the rest is for reports.
    await sleep(performance.now() - began, stopping);
  }
}

function firstGroups(changes: readonly Change[]): Change[] {
  const groups = new Set<string>();
  return changes.filter(({ group_id }) => {
    if (groups.size < GROUPS_PER_SLICE) groups.add(group_id);
    return groups.has(group_id);
  });
}

async function workOffSlice(
  context: Context,
  tenantId: string,
  slice: readonly Change[],
): Promise<void> {
  const { storage } = context;
  const gathered: Gathered[] = [];
  // Outside of the transaction: a group may have as many apps as the fleet has devices.
  for (const id of new Set(slice.map(({ group_id }) => group_id)))
    gathered.push(await gatherGroup(storage.reader, tenantId, id));
  const told = await storage.db.transaction().execute(async (trx) => {
    await storage.lock(trx, inventoryLock(tenantId));
    return storeSlice(context, trx, tenantId, { slice, gathered });
  });
  announce(context, tenantId, told);
}

async function storeSlice(
  context: Context,
  trx: Trx,
  tenantId: string,
  { slice, gathered }: { slice: readonly Change[]; gathered: readonly Gathered[] },
) {
  const rules = await listActiveRules(trx, tenantId);
  const of = Map.groupBy(slice, ({ group_id }) => group_id);
  let blocks = false;
  for (const group of gathered) {
    const changes = of.get(group.id) ?? [];
    // Somebody else put it together since it was read here: what was read may be older.
    if (!(await storeGroup(trx, tenantId, group))) continue;
    if (rules.length > 0) {
      const devices = changes.map(({ device_id }) => device_id);
      const facts = group.facts ?? NOTHING;
      const done = await evaluate(context, trx, tenantId, {
        rules,
        group: { ...facts, id: group.id },
        devices,
      });
      blocks ||= done.blocks;
    }
    await deleteChanges(trx, tenantId, changes);
  }
  // Last: from here on everything else that changes the configuration waits.
  if (blocks) await nextConfigVersion(trx, tenantId);
  return { blocks };
}

/** A group that no app is left of: no rule finds anything in it. */
export const NOTHING = { kind: 'cli', name: '', catalog_id: null } as const;

export function announce(
  { storage }: Context,
  tenant_id: string,
  { blocks }: { blocks: boolean },
): void {
  storage.signals.publish({ tenant_id, topic: 'inventory' });
  if (blocks) storage.signals.publish({ tenant_id, topic: 'guard' });
}
