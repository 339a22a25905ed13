import type { Context } from '../../context.ts';
import { sleep } from '../../lib/background-job.ts';
import { inventoryLock } from '../../storage/locks.ts';
import type { Db } from '../../storage/open.ts';
import type { Tx } from '../../storage/transaction.ts';
import { findGroup, listGroupsAfter } from '../group-queries.ts';
import { mayMatch } from '../matching.ts';
import { EMPTY_GROUP, evaluateGroup } from './evaluate-group.ts';
import {
  asRule,
  findRuleRow,
  forgetRule,
  listDevicesOfGroup,
  listFindingPositions,
  listUnevaluated,
  type Pair,
  START,
  setEvaluated,
} from './evaluation-queries.ts';
import type { StoredRule } from './transitions.ts';
import { publishInventory, TURN_MS } from './process-changes.ts';

const PAIRS_PER_SLICE = 200;
const GROUPS_AT_ONCE = 500;

/**
 * The progress of a changed rule. It is applied first where it had findings, then to all apps that
 * it concerns, ordered by group and device.
 */
interface Progress extends Pair {
  phase: 'found' | 'apps';
}

/** The value of `evaluated_to` for a rule that has just changed. */
export const FIRST_POSITION = 'found  ';

const progressOf = (text: string): Progress => {
  const [phase, group_id = '', device_id = ''] = text.split(' ');
  return { phase: phase === 'apps' ? 'apps' : 'found', group_id, device_id };
};
const textOf = ({ phase, group_id, device_id }: Progress): string =>
  `${phase} ${group_id} ${device_id}`;

/**
 * Applies changed rules to the fleet in slices, and resumes after a restart. Returns whether work
 * is left after one turn.
 */
export async function evaluateRules(
  context: Context,
  tenantId: string,
  stopping: AbortSignal,
): Promise<boolean> {
  const end = performance.now() + TURN_MS;
  for (const id of await listUnevaluated(context.storage.db, tenantId))
    for (let more = true; more && !stopping.aborted;) {
      const began = performance.now();
      if (began > end) return true;
      more = await evaluateSlice(context, tenantId, id);
      await sleep(performance.now() - began, stopping);
    }
  return false;
}

/** Applies one slice of a rule. Returns false once the rule is applied everywhere. */
async function evaluateSlice(context: Context, tenantId: string, id: string): Promise<boolean> {
  const { storage } = context;
  const done = await storage.transaction(async (tx) => {
    await tx.lock(inventoryLock(tenantId));
    const row = await findRuleRow(tx.db, tenantId, id);
    if (!row || row.evaluated_to === null) return { more: false };
    const rule = asRule(row);
    const { pairs, next } = await nextPairs(tx.db, tenantId, rule, progressOf(row.evaluated_to));
    await evaluatePairs(tx, context, tenantId, { rule, pairs });
    if (next === null && row.deleted_at !== null) await forgetRule(tx, tenantId, id);
    else await setEvaluated(tx, tenantId, id, next && textOf(next));
    return { more: next !== null };
  });
  publishInventory(context, tenantId);
  return done.more;
}

async function evaluatePairs(
  tx: Tx,
  context: Context,
  tenantId: string,
  { rule, pairs }: { rule: StoredRule; pairs: readonly Pair[] },
): Promise<void> {
  for (const [id, of] of Map.groupBy(pairs, ({ group_id }) => group_id)) {
    const group = { ...((await findGroup(tx.db, tenantId, id)) ?? EMPTY_GROUP), id };
    const devices = of.map(({ device_id }) => device_id);
    await evaluateGroup(tx, context, tenantId, { rules: [rule], group, devices });
  }
}

interface Slice {
  pairs: Pair[];
  /** Null when no work is left. */
  next: Progress | null;
}

async function nextPairs(
  db: Db,
  tenantId: string,
  rule: StoredRule,
  progress: Progress,
): Promise<Slice> {
  if (progress.phase === 'apps') return appPairs(db, tenantId, rule, progress);
  const pairs = await listFindingPositions(db, tenantId, rule.id, progress, PAIRS_PER_SLICE);
  const last = pairs.at(-1);
  if (last && pairs.length === PAIRS_PER_SLICE) return { pairs, next: { ...progress, ...last } };
  return { pairs, next: rule.active ? { phase: 'apps', ...START } : null };
}

async function appPairs(
  db: Db,
  tenantId: string,
  rule: StoredRule,
  { phase, group_id: from, device_id }: Progress,
): Promise<Slice> {
  // Without a device, the group is the last one of the previous page.
  const first = { id: from, itself: device_id !== '' };
  const groups = await listGroupsAfter(db, tenantId, first, GROUPS_AT_ONCE);
  const pairs: Pair[] = [];
  for (const group of groups.filter((one) => mayMatch(rule, one))) {
    const after = { group_id: group.id, device_id: group.id === from ? device_id : '' };
    const left = PAIRS_PER_SLICE - pairs.length;
    const devices = await listDevicesOfGroup(db, tenantId, after, left);
    pairs.push(...devices.map((id) => ({ group_id: group.id, device_id: id })));
    const last = pairs.at(-1);
    if (last && pairs.length === PAIRS_PER_SLICE) return { pairs, next: { phase, ...last } };
  }
  const last = groups.at(-1);
  if (!last || groups.length < GROUPS_AT_ONCE) return { pairs, next: null };
  return { pairs, next: { phase, group_id: last.id, device_id: '' } };
}
