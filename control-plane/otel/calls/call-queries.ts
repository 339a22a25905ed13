import type { NewCall, NewSpan, Recording } from '../../recording/queries.ts';
import { countPrompts } from '../../prompts/count-usage.ts';
import type { Db } from '../../storage/open.ts';
import { valueList } from '../../storage/value-list.ts';
import type { Tx } from '../../storage/transaction.ts';
import { countCalls, type RunRef } from '../../usage/count.ts';
import type { PromptReference } from '../map-call.ts';
import type { Node } from '../nesting.ts';

export type StoredCall = NewCall & { id: number; run_id: number };

const callColumns = [
  ...(['id', 'run_id', 'created_at', 'model', 'task', 'provider', 'tokens_in'] as const),
  ...(['tokens_out', 'total_tokens', 'cache_read_tokens', 'cache_write_tokens'] as const),
  ...(['duration_ms', 'cost', 'cost_source', 'prompt_hash'] as const),
  ...(['prompt_preview', 'response_preview', 'response_id'] as const),
  ...(['span_id', 'parent_span_id', 'started_at', 'reasoning_tokens'] as const),
  ...(['time_to_first_token_ms', 'finish_reason', 'tool_calls'] as const),
];

/** Finds calls by id. Calls that retention deleted are omitted. */
export async function findCalls(
  tx: Tx,
  tenantId: string,
  ids: readonly number[],
): Promise<Map<number, StoredCall>> {
  if (ids.length === 0) return new Map();
  const rows: StoredCall[] = await tx.db
    .selectFrom('llm_calls')
    .select(callColumns)
    .where('tenant_id', '=', tenantId)
    .where('id', 'in', valueList(ids))
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** Deletes calls of one run, and subtracts them from the totals. */
export async function removeCalls(
  recording: Recording,
  run: RunRef,
  calls: readonly StoredCall[],
): Promise<void> {
  const { db, bulk, search, tally, quotas } = recording;
  const ids = calls.map(({ id }) => id);
  const where = { tenantId: run.tenant_id, by: 'id', values: ids, lock: 'update' } as const;
  await bulk.find('llm_calls', ['id'], where);
  const removed = await db
    .deleteFrom('llm_calls')
    .where('tenant_id', '=', run.tenant_id)
    .where('id', 'in', valueList(ids))
    .returning(['tenant_id', 'prompt_hash', 'prompt_counted', 'total_tokens', 'cost'])
    .execute();
  await search.changed(recording, run.tenant_id, ids);
  countCalls(tally, run, calls, -1);
  countPrompts(tally, removed, -1);
  for (const { total_tokens } of calls) quotas.addTokens(run.tenant_id, -total_tokens);
  const change = {
    tenant_id: run.tenant_id,
    id: run.id,
    llm_call_count: -calls.length,
    tokens: -calls.reduce((sum, call) => sum + call.total_tokens, 0),
    cost: -calls.reduce((sum, call) => sum + call.cost, 0),
  };
  const how = { key: ['tenant_id', 'id'], add: ['llm_call_count', 'tokens', 'cost'] } as const;
  await bulk.add('runs', how, [change]);
}

const CALL_OF_SPAN = {
  key: ['tenant_id', 'trace_id', 'span_id'],
  add: [],
  set: ['call_id', 'counted'],
} as const;

/**
 * Sets the call ids of these spans; 0 for spans that no longer represent a call. All rows exist,
 * and the upsert finds them by primary key even if PostgreSQL's statistics of the fast-growing
 * table are outdated.
 */
export const setCallIds = (
  tx: Tx,
  tenant_id: string,
  changes: readonly { node: Node; call_id: number }[],
): Promise<void> =>
  tx.bulk.merge(
    'otel_spans',
    CALL_OF_SPAN,
    changes.map(({ node, call_id }) => ({
      tenant_id,
      ...node,
      call_id,
      counted: call_id > 0 ? 1 : 0,
    })),
  );

/** Finds the ids of the scores on these calls of these runs, by call. */
export async function findScoresOfCalls(
  tx: Tx,
  tenantId: string,
  runIds: readonly number[],
  callIds: readonly number[],
): Promise<Map<number, string[]>> {
  const byCall = new Map<number, string[]>();
  if (callIds.length === 0) return byCall;
  const rows = await tx.db
    .selectFrom('scores')
    .select(['id', 'llm_call_id'])
    .where('tenant_id', '=', tenantId)
    .where('run_id', 'in', valueList(runIds))
    .where('llm_call_id', 'in', valueList(callIds))
    .execute();
  for (const { id, llm_call_id } of rows) {
    const call = llm_call_id as number;
    byCall.set(call, [...(byCall.get(call) ?? []), id]);
  }
  return byCall;
}

/** Attaches scores to a call, or only to their run. */
export async function setCallOfScores(
  tx: Tx,
  tenantId: string,
  ids: readonly string[],
  call: { id: number; model: string } | undefined,
): Promise<void> {
  await tx.db
    .updateTable('scores')
    .set({ llm_call_id: call?.id ?? null, llm_call_model: call?.model ?? null })
    .where('tenant_id', '=', tenantId)
    .where('id', 'in', valueList(ids))
    .execute();
}

/**
 * Finds the behavior spans of a run that started at this position. One of them was created from the
 * span.
 */
export function findBehaviors(
  tx: Tx,
  run: RunRef,
  position: number,
): Promise<Pick<NewSpan, 'attributes' | 'input_data' | 'output_data'>[]> {
  return tx.db
    .selectFrom('spans')
    .select(['attributes', 'input_data', 'output_data'])
    .where('tenant_id', '=', run.tenant_id)
    .where('run_id', '=', run.id)
    .where('position', '=', position)
    .execute();
}

/** Finds the content hashes of managed prompt versions by `name` and `version`. */
export async function findPromptHashes(
  db: Db,
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
    .where('prompts.name', 'in', valueList(names))
    .where('prompt_versions.version', 'in', valueList(versions))
    .execute();
  const hashes = new Map(rows.map((row) => [`${row.version} ${row.name}`, row.content_hash]));
  return ({ name, version }) => hashes.get(`${version} ${name}`);
}
