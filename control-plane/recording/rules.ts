import type { z } from 'zod';
import type { completeRun, llmCall, score, span, startRun, step } from '#contract/recording.ts';
import type { Pricer } from '../costs/pricer.ts';
import { recordedCost } from '../costs/recorded-cost.ts';
import { contentHash } from '../prompts/content-hash.ts';
import type { Masker } from '../settings/masking/masker.ts';
import { detailsOf, tracePositionOf } from './trace-position.ts';
import { responseIdOf } from './response-id.ts';
import type { NewCall, NewRun, NewScore, NewSpan, NewStep, RunEnd } from './queries.ts';

type StartRun = z.output<typeof startRun>;

export const runRow = (
  tenant_id: string,
  body: StartRun,
  started_at: number,
  masker: Masker,
): NewRun => ({
  tenant_id,
  agent_name: body.agent_name,
  workflow_name: body.workflow_name,
  ...attributionOf(body),
  parent_run_id: body.parent_run_id ?? null,
  parent_span_id: body.parent_span_id || null,
  trace_id: body.trace_id ?? null,
  tags: JSON.stringify(body.tags ?? []),
  ...jsonTexts(masker.mask({ inputs: body.inputs, metadata: body.metadata })),
  result: null,
  error: null,
  status: 'running',
  started_at,
  completed_at: null,
});

/** Reads the attribution of a run from its fields or, where they are empty, from `metadata`. */
export function attributionOf(run: StartRun) {
  const valueOf = (
    name: 'session_id' | 'user_id' | 'user_group' | 'end_user_id',
  ): string | null => {
    const value = run[name] || run.metadata?.[name];
    if (typeof value !== 'string' && !Number.isFinite(value)) return null;
    // Truncation may split a surrogate pair. An empty name counts as missing.
    return String(value).slice(0, 200).toWellFormed() || null;
  };
  return {
    session_id: valueOf('session_id'),
    user_id: valueOf('user_id'),
    user_group: valueOf('user_group'),
    end_user_id: valueOf('end_user_id'),
  };
}

type LlmCall = z.output<typeof llmCall>;

export function callRow(
  call: LlmCall,
  created_at: number,
  { price, masker }: { price: Pricer; masker: Masker },
): NewCall {
  const { model, tokens_in, tokens_out } = call;
  const provider = call.provider ?? null;
  const cache_read_tokens = call.cache_read_tokens ?? 0;
  const cache_write_tokens = call.cache_write_tokens ?? 0;
  const { prompt_preview, response_preview, tool_calls } = masker.mask({
    prompt_preview: call.prompt_preview ?? '',
    response_preview: call.response_preview ?? '',
    tool_calls: call.tool_calls,
  });
  const { cost, cost_source } = recordedCost(
    call.cost,
    { model, provider, tokens_in, tokens_out, cache_read_tokens, cache_write_tokens },
    { price, at: created_at },
  );
  return {
    created_at,
    model,
    task: call.task ?? null,
    provider,
    tokens_in,
    tokens_out,
    cache_read_tokens,
    cache_write_tokens,
    total_tokens: tokens_in + tokens_out,
    duration_ms: call.duration_ms ?? null,
    cost,
    cost_source,
    // The hash is that of the stored text, because a hash of the unmasked text would reveal what
    // was masked.
    prompt_hash: call.prompt_hash ?? (prompt_preview && contentHash(prompt_preview)),
    prompt_preview,
    response_preview,
    response_id: responseIdOf(call.response_id),
    ...detailsOf(call, tool_calls),
  };
}

/** Returns JSON values as stored; missing values are null. */
const jsonTexts = <K extends string>(values: Record<K, unknown>): Record<K, string | null> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      value === undefined || value === null ? null : JSON.stringify(value),
    ]),
  ) as Record<K, string | null>;

type CompleteRun = z.output<typeof completeRun>;

export const endOf = (body: CompleteRun, completed_at: number, masker: Masker): RunEnd => {
  const { result, error } = masker.mask({ result: body.result, error: body.error });
  return { status: body.status, ...jsonTexts({ result }), error: error ?? null, completed_at };
};

export const stepRow = (
  { step_name, output, ...place }: z.output<typeof step>,
  created_at: number,
  masker: Masker,
): NewStep => ({
  created_at,
  step_name,
  ...jsonTexts(masker.mask({ output })),
  ...tracePositionOf(place),
});

/**
 * Returns the row of a span. Spans without `position` sort before those with one, in order of
 * arrival.
 */
export const spanRow = (
  item: z.output<typeof span>,
  created_at: number,
  masker: Masker,
): NewSpan => ({
  created_at,
  name: item.name,
  kind: item.kind,
  status: item.status,
  duration_ms: item.duration_ms ?? null,
  position: item.position ?? 0,
  ...jsonTexts(
    masker.mask({
      attributes: item.attributes,
      input_data: item.input_data,
      output_data: item.output_data,
    }),
  ),
  ...tracePositionOf(item),
});

export function scoreRow(
  { name, data_type, numeric_value, ...texts }: z.output<typeof score>,
  id: string,
  created_at: number,
  masker: Masker,
): NewScore {
  const { comment, string_value } = masker.mask({
    comment: texts.comment,
    string_value: texts.string_value,
  });
  return {
    id,
    created_at,
    name,
    data_type,
    source: 'sdk',
    numeric_value,
    string_value,
    comment: comment ?? null,
    llm_call_id: null,
    llm_call_model: null,
    metadata: null,
    author_user_id: null,
    evaluator_id: null,
    evaluator_name: null,
  };
}
