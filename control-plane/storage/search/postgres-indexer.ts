import { parentPort, workerData } from 'node:worker_threads';
import { type PoolClient, types } from 'pg';
import { openPool } from '../postgres-pool.ts';
import { follow, type Source } from './follow.ts';
import { INDEXED_COLUMNS, type IndexedCall, newSegment } from './indexing.ts';
import { lockOf } from './lock.ts';
import { mergeSome, type Query, refreshSome } from './segments.ts';

/** Taken from the queue at once, for one segment; and read at once, which bounds what is in memory. */
const CALLS_AT_ONCE = 4000;
const CALLS_READ_AT_ONCE = 100;
/** While calls never stop coming, what has changed is worked off this often. */
const STEPS_BETWEEN_CHANGES = 16;

/**
 * Takes from the queue and writes words in one transaction: what is cut short is taken again. Only
 * one process works at the index of a tenant at a time.
 */
export function openSource(url: string): Source {
  // A connection that breaks is replaced by the next query, which says so if it cannot.
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
      // If it is lost with the server, the row of the queue is there again too.
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
  /** False without having worked when another process works at this tenant's index. */
  const withLock = (tenantId: string, work: (query: Query) => Promise<boolean>): Promise<boolean> =>
    inTransaction(async (query) => {
      const [lock] = await query<{ taken: boolean }>(
        'select pg_try_advisory_xact_lock(hashtextextended(?, 0)) as taken',
        [lockOf(tenantId)],
      );
      return lock?.taken === true && work(query);
    });

  /** Tenants take turns: the one that was served last in each table. */
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
      // Also when it fails: others are served before it is tried again.
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

/** Makes one segment of what waits; what is too much for it goes back into the queue. */
async function indexQueued(query: Query, tenantId: string): Promise<boolean> {
  const taken = await query<{ call_ids: string }>(
    `delete from search_queue where tenant_id = ? and id in (
       select id from (
         select id, call_count, sum(call_count) over (order by id) as total
         from search_queue where tenant_id = ? order by id limit ${CALLS_AT_ONCE}) q
       where total - call_count < ${CALLS_AT_ONCE})
     returning call_ids`,
    [tenantId, tenantId],
  );
  if (taken.length === 0) return false;
  const ids = taken
    .flatMap(({ call_ids }) => JSON.parse(call_ids) as number[])
    .sort((a, b) => a - b);
  const segment = newSegment();
  let from = 0;
  for (; from < ids.length && !segment.isFull(); from += CALLS_READ_AT_ONCE) {
    const read = ids.slice(from, from + CALLS_READ_AT_ONCE);
    // A call that was deleted meanwhile is not there; one that is being deleted leaves a note.
    const calls = await query<IndexedCall>(
      `select ${INDEXED_COLUMNS} from llm_calls
       where tenant_id = ? and id = any(?::bigint[]) order by id`,
      [tenantId, read],
    );
    for (const call of calls) segment.add(call);
  }
  await segment.store(query, tenantId);
  const left = ids.slice(from);
  if (left.length > 0)
    await query(
      `insert into search_queue (tenant_id, call_ids, call_count, queued_at)
       values (?, ?, ?, extract(epoch from now()) * 1000)`,
      [tenantId, JSON.stringify(left), left.length],
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

/** Ids and times all fit a double exactly. */
const typeParser = (oid: TypeId, format: 'text' | 'binary' = 'text') =>
  oid === INT8 ? Number : types.getTypeParser(oid, format);

if (parentPort) follow(parentPort, openSource(workerData as string));
