import type { Storage, Trx } from '../storage/open.ts';
import type { Tables } from '../storage/tables.ts';
import { chained, FIRST_HASH } from './chain.ts';

export type NewEntry = Omit<Tables['audit_entries'], 'sequence' | 'previous_hash' | 'hash'>;

/** Adds an entry at the end of its tenant's chain. Within the transaction of what it tells of. */
export async function appendEntry(
  storage: Storage,
  trx: Trx,
  key: Uint8Array,
  entry: NewEntry,
): Promise<void> {
  await storage.lock(trx, `audit ${entry.tenant_id}`);
  const last = await trx
    .selectFrom('audit_entries')
    .select(['sequence', 'hash'])
    .where('tenant_id', '=', entry.tenant_id)
    .orderBy('sequence', 'desc')
    .limit(1)
    .executeTakeFirst();
  const sequence = (last?.sequence ?? 0) + 1;
  const row = chained(key, { ...entry, sequence, previous_hash: last?.hash ?? FIRST_HASH });
  await trx.insertInto('audit_entries').values(row).execute();
}
