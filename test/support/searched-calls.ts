import { sql } from 'kysely';
import type { Storage } from '#control-plane/storage/open.ts';

const call = {
  run_id: 1,
  model: 'm',
  task: null,
  agent_name: 'a',
  workflow_name: 'default',
  tokens_in: 1,
  tokens_out: 1,
  total_tokens: 2,
  duration_ms: null,
  cache_read_tokens: 0,
  cache_write_tokens: 0,
  cost: 0,
  cost_source: 'given',
  prompt_hash: '',
  created_at: 1_700_000_000_000,
  prompt_preview: '',
  response_preview: '',
} as const;

type Given = Partial<{
  model: string;
  task: string | null;
  agent_name: string;
  total_tokens: number;
  duration_ms: number | null;
  cost: number;
  created_at: number;
  prompt_preview: string;
  response_preview: string;
}>;
export type StoredCall = Required<Given> & { id: number };

/** Stores calls in the same way as recording. */
export async function storeCalls(
  storage: Storage,
  tenant_id: string,
  calls: readonly Given[],
): Promise<StoredCall[]> {
  return storage.transaction(async (tx) => {
    const rows = calls.map((given) => ({ ...call, ...given, tenant_id }));
    const ids = await tx.bulk.insertCounted('llm_calls', rows);
    await storage.search.enqueue(tx, tenant_id, ids);
    return rows.map((row, i) => ({ ...row, id: ids[i] as number }));
  });
}

/**
 * Returns calls and changes that are not indexed yet, blocks without a segment, and calls that are
 * in no segment or in two.
 */
export async function misindexedCalls(
  storage: Storage,
  kind: 'sqlite' | 'postgres',
): Promise<unknown[]> {
  const { reader } = storage;
  const { rows: segments } = await sql<{ calls: number }>`
    select calls from search_segments`.execute(reader);
  const { rows: blocks } = await sql`
    select segment_id from search_blocks
    where segment_id not in (select id from search_segments)`.execute(reader);
  const indexed = segments.reduce((sum, { calls }) => sum + calls, 0);
  const { stored } = await reader
    .selectFrom('llm_calls')
    .select((eb) => eb.fn.countAll<number>().as('stored'))
    .executeTakeFirstOrThrow();
  const notes = await reader.selectFrom('search_changes').selectAll().execute();
  const queued =
    kind === 'sqlite' ? [] : await storage.db.selectFrom('search_queue').selectAll().execute();
  return [...blocks, ...notes, ...queued, ...(indexed === stored ? [] : [{ indexed, stored }])];
}
