import { join } from 'node:path';
import { Kysely } from 'kysely';
import { type Db, openStorage, type StorageOptions } from '../../storage/open.ts';
import { sqliteReader } from '../../storage/reader.ts';
import { searchFileOf } from '../../storage/search/sqlite-file.ts';
import type { Tables } from '../../storage/tables.ts';
import type { ChainEntry } from '../chain.ts';

export type Reader = Kysely<Tables>;

/** Read-only access to the database of a running control plane. */
export interface ReadOnly {
  reader: Reader;
  close: () => Promise<void>;
}

/** Opens SQLite read-only, so that the log can be verified while the control plane runs. */
export async function openReadOnly(options: StorageOptions): Promise<ReadOnly> {
  if (options.databaseUrl) {
    const storage = await openStorage(options);
    return { reader: storage.reader, close: () => storage.close() };
  }
  const databaseFile = join(options.dataDir, 'gatehouse.db');
  const files = { databaseFile, searchFile: searchFileOf(databaseFile) };
  const reader = new Kysely<Tables>({ dialect: sqliteReader(files) });
  return { reader, close: () => reader.destroy() };
}

/** Reads one snapshot of the database, regardless of concurrent writes. */
export const inSnapshot = <T>(reader: Reader, read: (db: Db) => Promise<T>): Promise<T> =>
  reader.transaction().setIsolationLevel('repeatable read').execute(read);

/** Lists the ids of all tenants, including deleted ones. */
export async function listTenantIds(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('tenants')
    .select('id')
    .union(db.selectFrom('audit_heads').select('tenant_id as id'))
    .union(db.selectFrom('audit_entries').select('tenant_id as id'))
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}

export const findSealedKey = (db: Db): Promise<{ private_key: string } | undefined> =>
  db.selectFrom('authorities').select('private_key').limit(1).executeTakeFirst();

export const listEntriesAfter = (
  db: Db,
  tenantId: string,
  sequence: number,
  limit: number,
): Promise<ChainEntry[]> =>
  db
    .selectFrom('audit_entries')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('sequence', '>', sequence)
    .orderBy('sequence')
    .limit(limit)
    .execute();

/** Whether the tenant's log contains an entry with this hash. Reads the whole log. */
export async function hasHash(db: Db, tenantId: string, hash: string): Promise<boolean> {
  const row = await db
    .selectFrom('audit_entries')
    .select('sequence')
    .where('tenant_id', '=', tenantId)
    .where('hash', '=', hash)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns the hash of the entry with this number. */
export async function hashAt(
  db: Db,
  tenantId: string,
  sequence: number,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('audit_entries')
    .select('hash')
    .where('tenant_id', '=', tenantId)
    .where('sequence', '=', sequence)
    .executeTakeFirst();
  return row?.hash;
}
