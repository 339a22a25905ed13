import type { Db, Storage, Trx } from '../storage/open.ts';
import { chained, type Entry, FIRST_HASH, type Head, isSealed, sealOf } from './chain.ts';
import { DAY_MS } from '../lib/days.ts';

export type NewEntry = Omit<Entry, 'sequence' | 'previous_hash' | 'hash'>;

/** Appends an entry to its tenant's chain, in the transaction of the change it records. */
export async function appendEntry(
  storage: Storage,
  trx: Trx,
  key: Uint8Array,
  entry: NewEntry,
): Promise<void> {
  await storage.lock(trx, `audit ${entry.tenant_id}`);
  const end = await endOf(trx, key, entry.tenant_id);
  const row = chained(key, { ...entry, sequence: end.sequence + 1, previous_hash: end.hash });
  await trx.insertInto('audit_entries').values(row).execute();
  await putHead(trx, key, row, end.holds);
  await countEntry(trx, row);
}

/**
 * The current end of the chain. `holds` is false if the head does not match its seal: appending
 * must not hide that entries were cut off.
 */
async function endOf(trx: Trx, key: Uint8Array, tenantId: string) {
  const head = await findHead(trx, tenantId);
  if (head) return { sequence: head.sequence, hash: head.hash, holds: isSealed(key, head) };
  const last = await trx
    .selectFrom('audit_entries')
    .select(['sequence', 'hash'])
    .where('tenant_id', '=', tenantId)
    .orderBy('sequence', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last ? { ...last, holds: false } : { sequence: 0, hash: FIRST_HASH, holds: true };
}

async function putHead(trx: Trx, key: Uint8Array, last: Entry, isIntact: boolean): Promise<void> {
  const { tenant_id, sequence, hash } = last;
  const seal = isIntact ? sealOf(key, last) : '';
  await trx
    .insertInto('audit_heads')
    .values({ tenant_id, sequence, hash, seal })
    .onConflict((conflict) => conflict.column('tenant_id').doUpdateSet({ sequence, hash, seal }))
    .execute();
}

async function countEntry(trx: Trx, entry: Entry): Promise<void> {
  const { tenant_id, actor_type, action, created_at } = entry;
  const day = Math.floor(created_at / DAY_MS);
  await trx
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
