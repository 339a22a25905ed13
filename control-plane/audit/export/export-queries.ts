import type { ExportFormat } from '#contract/audit.ts';
import { countOf } from '../../storage/bounded-count.ts';
import { entryColumns } from '../log-queries.ts';
import type { Db, Storage } from '../../storage/open.ts';
import type { Tables } from '../../storage/tables.ts';
import type { Tx } from '../../storage/transaction.ts';
import type { StoredEntry } from './file.ts';

export type Export = Tables['audit_exports'];

export interface NewExport {
  tenant_id: string;
  id: string;
  format: ExportFormat;
  start_date: number | null;
  end_date: number | null;
  last_sequence: number;
  created_at: number;
}

export async function insertExport(tx: Tx, values: NewExport): Promise<Export> {
  return tx.db
    .insertInto('audit_exports')
    .values({
      ...values,
      status: 'processing',
      error: null,
      lease_owner: '',
      lease_until: 0,
      position: 0,
      chunk_count: 0,
      entry_count: 0,
      byte_count: 0,
      completed_at: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

const byId = (db: Db, tenantId: string, id: string) =>
  db.selectFrom('audit_exports').where('tenant_id', '=', tenantId).where('id', '=', id);

export const findExport = (db: Db, tenantId: string, id: string): Promise<Export | undefined> =>
  byId(db, tenantId, id).selectAll().executeTakeFirst();

export const countUnfinished = (db: Db, tenantId: string): Promise<number> =>
  countOf(
    db
      .selectFrom('audit_exports')
      .where('tenant_id', '=', tenantId)
      .where('status', '=', 'processing'),
  );

/** The process that works on an export, and the time at which its claim expires. */
export interface Lease {
  lease_owner: string;
  lease_until: number;
}

/** Claims the oldest export without a lease; undefined if there is none. */
export async function claimExport(tx: Tx, lease: Lease, now: number): Promise<Export | undefined> {
  const free = await tx.db
    .selectFrom('audit_exports')
    .select(['tenant_id', 'id'])
    .where('status', '=', 'processing')
    .where('lease_until', '<', now)
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst();
  if (!free) return undefined;
  return tx.db
    .updateTable('audit_exports')
    .set(lease)
    .where('tenant_id', '=', free.tenant_id)
    .where('id', '=', free.id)
    .where('status', '=', 'processing')
    .where('lease_until', '<', now)
    .returningAll()
    .executeTakeFirst();
}

/**
 * Lists the export's matching entries among the next ones of the log, up to sequence number `to`.
 * Ranges by number bound the cost of a step, whichever index the database uses.
 */
export function listNext(reader: Db, job: Export, to: number): Promise<StoredEntry[]> {
  const { start_date, end_date } = job;
  return reader
    .selectFrom('audit_entries')
    .select(entryColumns)
    .where('tenant_id', '=', job.tenant_id)
    .where('sequence', '>', job.position)
    .where('sequence', '<=', to)
    .$if(start_date !== null, (query) => query.where('created_at', '>=', start_date))
    .$if(end_date !== null, (query) => query.where('created_at', '<', end_date))
    .orderBy('sequence')
    .execute();
}

/** Appends a chunk, if there is one. Returns false if another process has taken over the export. */
export function addChunk(
  storage: Storage,
  before: Export,
  after: Export,
  content: Uint8Array | null,
): Promise<boolean> {
  const { tenant_id, id, ...changed } = after;
  return storage.transaction(async (tx) => {
    const { numUpdatedRows } = await tx.db
      .updateTable('audit_exports')
      .set(changed)
      .where('tenant_id', '=', tenant_id)
      .where('id', '=', id)
      .where('lease_owner', '=', before.lease_owner)
      .where('position', '=', before.position)
      .executeTakeFirst();
    if (numUpdatedRows === 0n || !content) return numUpdatedRows > 0n;
    await tx.db
      .insertInto('audit_export_chunks')
      .values({ tenant_id, export_id: id, number: before.chunk_count, content })
      .execute();
    return true;
  });
}

/** Updates an export while this lease is valid. */
export async function changeExport(
  tx: Tx,
  { tenant_id, id, lease_owner }: Export,
  change: Partial<Pick<Export, 'status' | 'error' | 'completed_at' | 'lease_until'>>,
): Promise<void> {
  await tx.db
    .updateTable('audit_exports')
    .set(change)
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .where('lease_owner', '=', lease_owner)
    .execute();
}

export async function findChunk(
  reader: Db,
  { tenant_id, id }: Export,
  number: number,
): Promise<Uint8Array | undefined> {
  const row = await reader
    .selectFrom('audit_export_chunks')
    .select('content')
    .where('tenant_id', '=', tenant_id)
    .where('export_id', '=', id)
    .where('number', '=', number)
    .executeTakeFirst();
  return row?.content;
}

/** Finds the oldest export requested before `cutoff`. */
export const findOutdated = (db: Db, cutoff: number): Promise<Export | undefined> =>
  db
    .selectFrom('audit_exports')
    .selectAll()
    .where('created_at', '<', cutoff)
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst();

/** Deletes up to `limit` chunks from the end of a file; returns the number of remaining chunks. */
export async function deleteChunks(tx: Tx, job: Export, limit: number): Promise<number> {
  const remaining = Math.max(0, job.chunk_count - limit);
  await tx.db
    .deleteFrom('audit_export_chunks')
    .where('tenant_id', '=', job.tenant_id)
    .where('export_id', '=', job.id)
    .where('number', '>=', remaining)
    .execute();
  return remaining;
}

/** Deletes an export with its remaining chunks, since one may have been added concurrently. */
export function deleteExport(storage: Storage, { tenant_id, id }: Export): Promise<void> {
  return storage.transaction(async (tx) => {
    await tx.db
      .deleteFrom('audit_exports')
      .where('tenant_id', '=', tenant_id)
      .where('id', '=', id)
      .execute();
    await tx.db
      .deleteFrom('audit_export_chunks')
      .where('tenant_id', '=', tenant_id)
      .where('export_id', '=', id)
      .execute();
  });
}
