import { auditLock } from '../storage/locks.ts';
import type { Db } from '../storage/open.ts';
import type { Tx } from '../storage/transaction.ts';
import { withHash, type ChainEntry, FIRST_HASH, type Head, isSealed, sealOf } from './chain.ts';
import { DAY_MS } from '#lib/time-units.ts';

export type NewEntry = Omit<ChainEntry, 'sequence' | 'previous_hash' | 'hash'>;

/** Appends an entry to its tenant's chain, in the transaction of the change it records. */
export async function appendEntry(tx: Tx, key: Uint8Array, entry: NewEntry): Promise<void> {
  await tx.lock(auditLock(entry.tenant_id));
  const end = await endOf(tx, key, entry.tenant_id);
  const row = withHash(key, { ...entry, sequence: end.sequence + 1, previous_hash: end.hash });
  await tx.db.insertInto('audit_entries').values(row).execute();
  await putHead(tx, key, row, end.holds);
  await countEntry(tx, row);
}

/**
 * Returns the current end of the chain. `holds` is false if the head does not match its seal:
 * appending must not hide that entries were removed.
 */
async function endOf(tx: Tx, key: Uint8Array, tenantId: string) {
  const head = await findHead(tx.db, tenantId);
  if (head) return { sequence: head.sequence, hash: head.hash, holds: isSealed(key, head) };
  const last = await tx.db
    .selectFrom('audit_entries')
    .select(['sequence', 'hash'])
    .where('tenant_id', '=', tenantId)
    .orderBy('sequence', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last ? { ...last, holds: false } : { sequence: 0, hash: FIRST_HASH, holds: true };
}

async function putHead(
  tx: Tx,
  key: Uint8Array,
  last: ChainEntry,
  isIntact: boolean,
): Promise<void> {
  const { tenant_id, sequence, hash } = last;
  const seal = isIntact ? sealOf(key, last) : '';
  await tx.db
    .insertInto('audit_heads')
    .values({ tenant_id, sequence, hash, seal })
    .onConflict((conflict) => conflict.column('tenant_id').doUpdateSet({ sequence, hash, seal }))
    .execute();
}

async function countEntry(tx: Tx, entry: ChainEntry): Promise<void> {
  const { tenant_id, actor_type, action, created_at } = entry;
  const day = Math.floor(created_at / DAY_MS);
  await tx.db
    .insertInto('audit_totals')
    .values({ tenant_id, actor_type, action, day, count: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['tenant_id', 'actor_type', 'action', 'day'])
        .doUpdateSet((eb) => ({ count: eb('audit_totals.count', '+', 1) })),
    )
    .execute();
}

export function findHead(db: Db, tenantId: string): Promise<Head | undefined> {
  return db
    .selectFrom('audit_heads')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst();
}
