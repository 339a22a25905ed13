import type { NewCall, NewSpan, Recording } from '../../recording/queries.ts';
import { countPrompts } from '../../prompts/count-usage.ts';
import type { Storage } from '../../storage/open.ts';
import { countCalls, type RunRef } from '../../usage/count.ts';
import type { PromptReference } from '../call.ts';
import type { TraceRecording } from '../trace-recording.ts';
import type { Node } from '../nesting.ts';

export type StoredCall = NewCall & { id: number; run_id: number };

const callColumns = [
  ...(['id', 'run_id', 'created_at', 'model', 'task', 'provider', 'tokens_in'] as const),
  ...(['tokens_out', 'total_tokens', 'cache_read_tokens', 'cache_write_tokens'] as const),
  ...(['duration_ms', 'cost', 'cost_source', 'prompt_hash'] as const),
  ...(['prompt_preview', 'response_preview', 'response_id'] as const),
];

/** Calls by id; those deleted by retention are omitted. */
export async function findCalls(
  { trx, bulk }: Recording,
  tenantId: string,
  ids: readonly number[],
): Promise<Map<number, StoredCall>> {
  if (ids.length === 0) return new Map();
  const rows: StoredCall[] = await trx
    .selectFrom('llm_calls')
    .select(callColumns)
    .where('tenant_id', '=', tenantId)
    .where('id', 'in', bulk.list(ids))
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** Deletes calls of one run, and subtracts them from the totals. */
export async function removeCalls(
  { trx, bulk, search, tally, quotas }: TraceRecording,
  run: RunRef,
  calls: readonly StoredCall[],
): Promise<void> {
  const ids = calls.map(({ id }) => id);
  const where = { tenantId: run.tenant_id, by: 'id', values: ids, lock: 'delete' } as const;
  await bulk.find(trx, 'llm_calls', ['id'], where);
  const removed = await trx
    .deleteFrom('llm_calls')
    .where('tenant_id', '=', run.tenant_id)
    .where('id', 'in', bulk.list(ids))
    .returning(['tenant_id', 'prompt_hash', 'prompt_counted', 'total_tokens', 'cost'])
    .execute();
  await search.changed(trx, run.tenant_id, ids);
  countCalls(tally, run, calls, -1);
  countPrompts(tally, removed, -1);
  for (const { total_tokens } of calls) quotas?.addTokens(run.tenant_id, -total_tokens);
  const change = {
    tenant_id: run.tenant_id,
    id: run.id,
    llm_call_count: -calls.length,
    tokens: -calls.reduce((sum, call) => sum + call.total_tokens, 0),
    cost: -calls.reduce((sum, call) => sum + call.cost, 0),
  };
  const how = { key: ['tenant_id', 'id'], add: ['llm_call_count', 'tokens', 'cost'] } as const;
  await bulk.add(trx, 'runs', how, [change]);
}

/** The highest call id of a tenant. */
export async function lastCallId({ trx }: Recording, tenantId: string): Promise<number> {
  const last = await trx
    .selectFrom('llm_calls')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last?.id ?? 0;
}

/** The calls of these runs stored after the id `after`, in insertion order. */
export function findNewCalls(
  { trx, bulk }: Recording,
  tenantId: string,
  runIds: readonly number[],
  after: number,
) {
  return trx
    .selectFrom('llm_calls')
    .select(['id', 'run_id', 'created_at', 'model', 'total_tokens', 'duration_ms'])
    .where('tenant_id', '=', tenantId)
    .where('id', '>', after)
    .where('run_id', 'in', bulk.list(runIds))
    .orderBy('id')
    .execute();
}

// Well below SQLite's 32,766 and PostgreSQL's 65,535 parameters of one statement.
const NODES_PER_STATEMENT = 1000;

/**
 * Sets the call ids of these spans; 0 for spans that no longer stand for a call. All rows exist;
 * the upsert finds them by primary key even if PostgreSQL's statistics of the fast-growing table
 * are outdated.
 */
export async function setCallIds(
  { trx }: Recording,
  tenant_id: string,
  changes: readonly { node: Node; call_id: number }[],
): Promise<void> {
  for (let start = 0; start < changes.length; start += NODES_PER_STATEMENT)
    await trx
      .insertInto('otel_spans')
      .values(
        changes.slice(start, start + NODES_PER_STATEMENT).map(({ node, call_id }) => ({
          tenant_id,
          ...node,
          call_id,
          counted: call_id > 0 ? 1 : 0,
        })),
      )
      .onConflict((conflict) =>
        conflict.columns(['tenant_id', 'trace_id', 'span_id']).doUpdateSet((eb) => ({
          call_id: eb.ref('excluded.call_id'),
          counted: eb.ref('excluded.counted'),
        })),
      )
      .execute();
}

/** Ids of the scores on these calls of these runs, by call. */
export async function findScoresOfCalls(
  { trx, bulk }: Recording,
  tenantId: string,
  runIds: readonly number[],
  callIds: readonly number[],
): Promise<Map<number, string[]>> {
  const byCall = new Map<number, string[]>();
  if (callIds.length === 0) return byCall;
  const rows = await trx
    .selectFrom('scores')
    .select(['id', 'llm_call_id'])
    .where('tenant_id', '=', tenantId)
    .where('run_id', 'in', bulk.list(runIds))
    .where('llm_call_id', 'in', bulk.list(callIds))
    .execute();
  for (const { id, llm_call_id } of rows) {
    const call = llm_call_id as number;
    byCall.set(call, [...(byCall.get(call) ?? []), id]);
  }
  return byCall;
}

/** Attaches scores to a call, or to their run only. */
export async function setCallOfScores(
  { trx, bulk }: Recording,
  tenantId: string,
  ids: readonly string[],
  call: { id: number; model: string } | undefined,
): Promise<void> {
  await trx
    .updateTable('scores')
    .set({ llm_call_id: call?.id ?? null, llm_call_model: call?.model ?? null })
    .where('tenant_id', '=', tenantId)
    .where('id', 'in', bulk.list(ids))
    .execute();
}

/**
 * The behavior spans of a run that started at this position, one of which was made from the span.
 */
export function findBehaviors(
  { trx }: Recording,
  run: RunRef,
  position: number,
): Promise<Pick<NewSpan, 'attributes' | 'input_data' | 'output_data'>[]> {
  return trx
    .selectFrom('spans')
    .select(['attributes', 'input_data', 'output_data'])
    .where('tenant_id', '=', run.tenant_id)
    .where('run_id', '=', run.id)
    .where('position', '=', position)
    .execute();
}

/** Content hashes of managed prompt versions, by `name` and `version`. */
export async function findPromptHashes(
  { db, bulk }: Pick<Storage, 'db' | 'bulk'>,
  tenantId: string,
  prompts: readonly PromptReference[],
): Promise<(prompt: PromptReference) => string | undefined> {
  const names = [...new Set(prompts.flatMap(({ name }) => name ?? []))];
  const versions = [...new Set(prompts.flatMap(({ version }) => version ?? []))];
  if (names.length === 0 || versions.length === 0) return () => undefined;
  const rows = await db
    .selectFrom('prompts')
    .innerJoin('prompt_versions', (join) =>
      join
        .onRef('prompt_versions.tenant_id', '=', 'prompts.tenant_id')
        .onRef('prompt_versions.prompt_id', '=', 'prompts.id'),
    )
    .select(['prompts.name', 'prompt_versions.version', 'prompt_versions.content_hash'])
    .where('prompts.tenant_id', '=', tenantId)
    .where('prompts.name', 'in', bulk.list(names))
    .where('prompt_versions.version', 'in', bulk.list(versions))
    .execute();
  const hashes = new Map(rows.map((row) => [`${row.version} ${row.name}`, row.content_hash]));
  return ({ name, version }) => hashes.get(`${version} ${name}`);
}
