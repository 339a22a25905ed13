import { hash } from 'node:crypto';
import { deleteOlder } from '../storage/delete-rows.ts';
import { codingCounterLock } from '../storage/locks.ts';
import type { Tx } from '../storage/transaction.ts';
import { advanceCounter, type CounterPoint } from './counter-rules.ts';

export interface CounterOwner {
  tenantId: string;
  userGroup: string | null;
}

/** Adds data points of metrics to their counters, in the order of their times. */
export async function addToCounters(
  tx: Tx,
  { tenantId, userGroup }: CounterOwner,
  points: readonly CounterPoint[],
): Promise<void> {
  if (points.length === 0) return;
  await tx.lock(codingCounterLock(tenantId));
  const ordered = points.toSorted((a, b) => a.at - b.at);
  const ids = new Map(ordered.map((point) => [point.series, hash('sha256', point.series)]));
  const rows = await tx.db
    .selectFrom('coding_counters')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('id', 'in', [...ids.values()])
    .execute();
  const known = new Map(rows.map((row) => [row.id, row]));
  for (const point of ordered) {
    const id = ids.get(point.series) as string;
    const { agent_name, user_id, measure } = point;
    known.set(id, {
      tenant_id: tenantId,
      id,
      agent_name,
      user_id,
      user_group: userGroup,
      measure,
      ...advanceCounter(known.get(id), point),
    });
  }
  for (const row of known.values())
    await tx.db
      .insertInto('coding_counters')
      .values(row)
      .onConflict((conflict) =>
        conflict
          .columns(['tenant_id', 'id'])
          .doUpdateSet({ seen_at: row.seen_at, value: row.value }),
      )
      .execute();
}

/** Deletes some counters that began before `cutoff`. Returns how many were deleted. */
export const deleteCounters = (
  tx: Tx,
  { tenantId, cutoff, limit }: { tenantId: string; cutoff: number; limit: number },
): Promise<number> =>
  deleteOlder(tx, 'coding_counters', {
    tenantId,
    key: ['id'],
    column: 'started_at',
    before: cutoff,
    limit,
  });
