import { parentPort, workerData } from 'node:worker_threads';
import { type PoolClient, types } from 'pg';
import { openPool } from '../postgres-pool.ts';
import { runIndexer, type IndexerSource } from './indexer-loop.ts';
import { INDEXED_COLUMNS, type IndexedCall, newSegment } from './new-segment.ts';
import { searchLock } from '../locks.ts';
import { mergeSome, type Query, refreshSome } from './segments.ts';

/** The most calls that one segment takes from the queue and reads at once. It bounds memory. */
const CALLS_AT_ONCE = 4000;
const CALLS_READ_AT_ONCE = 100;
/** The number of steps after which changes are processed while calls arrive constantly. */
const STEPS_BETWEEN_CHANGES = 16;

/**
 * Removes calls from the queue and writes their words in one transaction, so that interrupted work
 * is repeated. Only one process indexes a tenant at a time.
 */
export function openSource(url: string): IndexerSource {
  // A broken connection is replaced by the next query, which fails if that is impossible.
  const pool = openPool(
    url,
    {
      max: 1,
      application_name: 'gatehouse search',
      types: { getTypeParser: typeParser as typeof types.getTypeParser },
    },
    () => undefined,
  );
  const unmerged = new Set<string>();

  const inTransaction = async <T>(work: (query: Query) => Promise<T>): Promise<T> => {
    const client = await pool.connect();
    try {
      await client.query('begin');
      // If the server loses this commit in a crash, the rows are still in the queue.
      await client.query('set local synchronous_commit = off');
      const result = await work(queryOf(client));
      await client.query('commit');
      client.release();
      return result;
    } catch (error) {
      client.release(true);
      throw error;
    }
  };
  /** Returns false without working if another process indexes this tenant. */
  const withLock = (tenantId: string, work: (query: Query) => Promise<boolean>): Promise<boolean> =>
    inTransaction(async (query) => {
      const [lock] = await query<{ taken: boolean }>(
        'select pg_try_advisory_xact_lock(hashtextextended(?, 0)) as taken',
        [searchLock(tenantId)],
      );
      return lock?.taken === true && work(query);
    });

  /** The tenant that was served last in each table: tenants are served round-robin. */
  const lastServed = { search_queue: '', search_changes: '' };

  async function* tenantsIn(table: keyof typeof lastServed): AsyncGenerator<string> {
    const last = lastServed[table];
    const next = `select tenant_id from ${table} where tenant_id > $1 and tenant_id <= coalesce($2, tenant_id)
                  order by tenant_id limit 1`;
    for (const [after, to] of [
      [last, null],
      ['', last],
    ] as const)
      for (let tenantId: string = after; ;) {
        const { rows } = await pool.query<{ tenant_id: string }>(next, [tenantId, to]);
        if (!rows[0]) break;
        yield (tenantId = rows[0].tenant_id);
      }
  }

  async function serveNext(
    table: keyof typeof lastServed,
    work: (query: Query, tenantId: string) => Promise<boolean>,
  ): Promise<boolean> {
    for await (const tenantId of tenantsIn(table)) {
      // It is set even after a failure, so that other tenants are served before this one is
      // retried.
      lastServed[table] = tenantId;
      if (await withLock(tenantId, (query) => work(query, tenantId))) return true;
    }
    return false;
  }

  async function indexTenant(query: Query, tenantId: string): Promise<boolean> {
    const indexed = await indexQueued(query, tenantId);
    if (indexed) unmerged.add(tenantId);
    return indexed;
  }

  async function merge(): Promise<boolean> {
    for (const tenantId of unmerged) {
      unmerged.delete(tenantId);
      if (await withLock(tenantId, (query) => mergeSome(query, tenantId))) {
        unmerged.add(tenantId);
        return true;
      }
    }
    return false;
  }

  const index = (): Promise<boolean> => serveNext('search_queue', indexTenant);
  const refresh = (): Promise<boolean> => serveNext('search_changes', refreshAndSettle);
  let steps = 0;

  return {
    async indexSome(tenantId) {
      if (tenantId !== undefined)
        return withLock(tenantId, (query) => indexTenant(query, tenantId));
      steps += 1;
      const isTurnOfChanges = steps % STEPS_BETWEEN_CHANGES === 0;
      for (const work of isTurnOfChanges ? [refresh, merge, index] : [merge, index, refresh])
        if (await work()) return true;
      return false;
    },
    async markOf(tenantId) {
      const text = 'select max(id) as id from search_queue where tenant_id = $1';
      const { rows } = await pool.query<{ id: number | null }>(text, [tenantId]);
      return rows[0]?.id ?? null;
    },
    async isReached(tenantId, mark) {
      const text = 'select 1 from search_queue where tenant_id = $1 and id <= $2 limit 1';
      return (await pool.query(text, [tenantId, mark])).rows.length === 0;
    },
    close: () => pool.end(),
  };
}

/** Builds one segment from the queue. Calls that exceed its limit are put back. */
async function indexQueued(query: Query, tenantId: string): Promise<boolean> {
  const rows = await query<{ call_ids: string }>(
    `delete from search_queue where tenant_id = ? and id in (
       select id from (
         select id, call_count, sum(call_count) over (order by id) as total
         from search_queue where tenant_id = ? order by id limit ${CALLS_AT_ONCE}) q
       where total - call_count < ${CALLS_AT_ONCE})
     returning call_ids`,
    [tenantId, tenantId],
  );
  if (rows.length === 0) return false;
  const ids = rows
    .flatMap(({ call_ids }) => JSON.parse(call_ids) as number[])
    .sort((a, b) => a - b);
  const segment = newSegment();
  let remaining = ids;
  while (remaining.length > 0 && !segment.isFull()) {
    const read = remaining.slice(0, CALLS_READ_AT_ONCE);
    // A call that has been deleted in the meantime is missing. A call that is being deleted records
    // a change.
    const calls = await query<IndexedCall>(
      `select ${INDEXED_COLUMNS} from llm_calls
       where tenant_id = ? and id = any(?::bigint[]) order by id`,
      [tenantId, read],
    );
    const left = segment.addUntilFull(calls);
    remaining = [...left.map(({ id }) => id), ...remaining.slice(read.length)];
  }
  await segment.store(query, tenantId);
  if (remaining.length > 0)
    await query(
      `insert into search_queue (tenant_id, call_ids, call_count, queued_at)
       values (?, ?, ?, extract(epoch from now()) * 1000)`,
      [tenantId, JSON.stringify(remaining), remaining.length],
    );
  return true;
}

async function refreshAndSettle(query: Query, tenantId: string): Promise<boolean> {
  const settled = await refreshSome(query, tenantId);
  await query('delete from search_changes where tenant_id = ? and id = any(?::bigint[])', [
    tenantId,
    settled,
  ]);
  return settled.length > 0;
}

const texts = new Map<string, string>();

function queryOf(client: PoolClient): Query {
  return async <T>(text: string, parameters: readonly unknown[] = []) => {
    let numbered = texts.get(text);
    if (numbered === undefined) {
      let number = 0;
      numbered = text.replaceAll('?', () => `$${(number += 1)}`);
      texts.set(text, numbered);
    }
    return (await client.query(numbered, [...parameters])).rows as T[];
  };
}

const INT8 = types.builtins.INT8;
type TypeId = Parameters<typeof types.getTypeParser>[0];

/** Parses `bigint` as a number: a double represents all ids and times exactly. */
const typeParser = (oid: TypeId, format: 'text' | 'binary' = 'text') =>
  oid === INT8 ? Number : types.getTypeParser(oid, format);

if (parentPort) runIndexer(parentPort, openSource(workerData as string));
