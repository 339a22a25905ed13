import type { Context } from '../../context.ts';
import { sleep } from '../../lib/background-job.ts';
import { inventoryLock } from '../../storage/locks.ts';
import type { Tx } from '../../storage/transaction.ts';
import { gatherGroup } from '../gather-group.ts';
import { type GroupSummary, storeGroup } from '../group-queries.ts';
import { EMPTY_GROUP, evaluateGroup } from './evaluate-group.ts';
import {
  type Change,
  deleteChanges,
  listActiveRules,
  listChanges,
  START,
} from './evaluation-queries.ts';

/**
 * The maximum number of changes in a slice, which occupies SQLite's one connection for some tens of
 * milliseconds.
 */
const CHANGES_PER_SLICE = 500;
const GROUPS_PER_SLICE = 25;
/**
 * The number of changes processed per round: the pending changes of several devices with full
 * reports.
 */
const CHANGES_PER_ROUND = 50_000;
/** The length of a turn. After it, new changes are included and other work can run. */
export const TURN_MS = 1000;

/**
 * Processes the pending app changes of a tenant: recomputes their groups and applies the rules, in
 * slices that are each one transaction. Changes of one group are adjacent, so that each group is
 * computed once for all its devices. Returns whether work is left after one turn.
 */
export async function processChanges(
  context: Context,
  tenantId: string,
  stopping: AbortSignal,
): Promise<boolean> {
  const end = performance.now() + TURN_MS;
  for (let after = START; !stopping.aborted;) {
    const listed = await listChanges(context.storage.db, tenantId, after, CHANGES_PER_ROUND);
    after = listed.at(-1) ?? after;
    if (listed.length === 0) return false;
    for (const slice of slicesOf(roundRobin(listed))) {
      const began = performance.now();
      if (stopping.aborted || began > end) return true;
      await processSlice(context, tenantId, slice);
      // At most half of the database's time is used, to leave the rest to reports.
      await sleep(performance.now() - began, stopping);
    }
  }
  return true;
}

/**
 * Returns changes by group, alternating between devices: the first group of each device, then the
 * second. Thousands of changes of one device therefore do not delay a single change of another.
 */
export function roundRobin(changes: readonly Change[]): Change[][] {
  const counted = new Map<string, number>();
  const groups = new Map<string, { turn: number; changes: Change[] }>();
  for (const change of changes) {
    const turn = counted.get(change.device_id) ?? 0;
    counted.set(change.device_id, turn + 1);
    const group = groups.get(change.group_id) ?? { turn, changes: [] };
    group.turn = Math.min(group.turn, turn);
    group.changes.push(change);
    groups.set(change.group_id, group);
  }
  return [...groups.values()].sort((a, b) => a.turn - b.turn).map((group) => group.changes);
}

/** Yields slices. A group with more changes than fit into one slice spans several. */
function* slicesOf(groups: readonly (readonly Change[])[]): Generator<Change[]> {
  let slice: Change[] = [];
  let count = 0;
  for (const group of groups)
    for (let at = 0; at < group.length;) {
      const part = group.slice(at, at + CHANGES_PER_SLICE - slice.length);
      slice.push(...part);
      at += part.length;
      count += 1;
      if (slice.length < CHANGES_PER_SLICE && count < GROUPS_PER_SLICE) continue;
      yield slice;
      slice = [];
      count = 0;
    }
  if (slice.length > 0) yield slice;
}

async function processSlice(
  context: Context,
  tenantId: string,
  slice: readonly Change[],
): Promise<void> {
  const { storage } = context;
  const gathered: GroupSummary[] = [];
  // This is outside of the transaction, because a group may have as many apps as the fleet has
  // devices.
  for (const id of new Set(slice.map(({ group_id }) => group_id)))
    gathered.push(await gatherGroup(storage.reader, tenantId, id));
  await storage.transaction(async (tx) => {
    await tx.lock(inventoryLock(tenantId));
    await storeSlice(tx, context, tenantId, { slice, gathered });
  });
  publishInventory(context, tenantId);
}

async function storeSlice(
  tx: Tx,
  context: Context,
  tenantId: string,
  { slice, gathered }: { slice: readonly Change[]; gathered: readonly GroupSummary[] },
): Promise<void> {
  const rules = await listActiveRules(tx.db, tenantId);
  const of = Map.groupBy(slice, ({ group_id }) => group_id);
  for (const group of gathered) {
    const changes = of.get(group.id) ?? [];
    // Another process has stored the group since it was read, so this result may be outdated.
    if (!(await storeGroup(tx, tenantId, group))) continue;
    if (rules.length > 0) {
      const devices = changes.map(({ device_id }) => device_id);
      const facts = group.facts ?? EMPTY_GROUP;
      await evaluateGroup(tx, context, tenantId, {
        rules,
        group: { ...facts, id: group.id },
        devices,
      });
    }
    await deleteChanges(tx, tenantId, changes);
  }
}

export function publishInventory({ storage }: Context, tenant_id: string): void {
  storage.signals.publish({ tenant_id, topic: 'inventory' });
}
