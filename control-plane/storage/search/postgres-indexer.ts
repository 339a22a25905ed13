import { parentPort, workerData } from 'node:worker_threads';
import { Pool, type PoolClient } from 'pg';
import { indexedText, SEARCHED_CHARACTERS, type SearchedTexts } from '../../search/rules.ts';
import { CONNECT_MS } from '../postgres-signals.ts';
import { follow, type Source } from './follow.ts';

const QUEUE_ROWS_AT_ONCE = 8;
const CALLS_AT_ONCE = 100;

interface Call {
  tenant_id: string;
  id: string;
}

/** Takes from the queue and writes words in one transaction: what is cut short is taken again. */
function openSource(url: string): Source {
  const pool = new Pool({ connectionString: url, max: 1, connectionTimeoutMillis: CONNECT_MS });
  // A connection that breaks while it is idle is replaced by the next query.
  pool.on('error', () => undefined);

  const inTransaction = async <T>(work: (client: PoolClient) => Promise<T>): Promise<T> => {
    const client = await pool.connect();
    try {
      await client.query('begin');
      // If it is lost with the server, the row of the queue is there again too.
      await client.query('set local synchronous_commit = off');
      const result = await work(client);
      await client.query('commit');
      client.release();
      return result;
    } catch (error) {
      client.release(true);
      throw error;
    }
  };
  return {
    indexSome: (tenantId) => inTransaction((client) => indexSome(client, tenantId)),
    async markOf(tenantId) {
      const text = 'select max(id) as id from search_queue where tenant_id = $1';
      const { rows } = await pool.query<{ id: string | null }>(text, [tenantId]);
      return rows[0]?.id ? Number(rows[0].id) : null;
    },
    async isReached(tenantId, mark) {
      const text = 'select 1 from search_queue where tenant_id = $1 and id <= $2 limit 1';
      return (await pool.query(text, [tenantId, mark])).rows.length === 0;
    },
    forget: () => undefined,
    close: () => pool.end(),
  };
}

async function indexSome(client: PoolClient, tenantId: string | undefined): Promise<boolean> {
  // Rows that another process works at are passed over.
  const { rows: taken } = await client.query<Call>(
    `with picked as materialized (
       select tenant_id, id from search_queue where $1::text is null or tenant_id = $1
       limit ${QUEUE_ROWS_AT_ONCE} for update skip locked),
     taken as (
       delete from search_queue q using picked p
       where q.tenant_id = p.tenant_id and q.id = p.id returning q.tenant_id, q.call_ids)
     select tenant_id, json_array_elements_text(call_ids::json) as id from taken`,
    [tenantId ?? null],
  );
  for (let from = 0; from < taken.length; from += CALLS_AT_ONCE)
    await indexCalls(client, taken.slice(from, from + CALLS_AT_ONCE));
  return taken.length > 0;
}

const start = (column: string): string =>
  `substr(c.${column}, 1, ${SEARCHED_CHARACTERS}) as ${column}`;

async function indexCalls(client: PoolClient, calls: readonly Call[]): Promise<void> {
  // The lock lets nobody delete a call before its words are there to be deleted with it; what is
  // locked against it is being deleted.
  const { rows } = await client.query<SearchedTexts & { id: string }>(
    `select c.id, c.tenant_id, c.model, c.task, ${start('prompt_preview')},
       ${start('response_preview')}
     from unnest($1::text[], $2::bigint[]) as q (tenant_id, id)
     join llm_calls c on c.tenant_id = q.tenant_id and c.id = q.id
     for key share of c skip locked`,
    [calls.map((call) => call.tenant_id), calls.map((call) => call.id)],
  );
  await client.query(
    `insert into call_words (tenant_id, llm_call_id, words)
     select * from unnest($1::text[], $2::bigint[], $3::text[])
     on conflict (tenant_id, llm_call_id) do update set words = excluded.words`,
    [rows.map((row) => row.tenant_id), rows.map((row) => row.id), rows.map(indexedText)],
  );
}

if (parentPort) follow(parentPort, openSource(workerData as string));
