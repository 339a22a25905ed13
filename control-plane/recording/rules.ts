import type { z } from 'zod';
import type { llmCall, score, span, startRun, step } from '#contract/recording.ts';
import { promptHash } from './prompt-hash.ts';
import type { NewCall, NewRun, NewScore, NewSpan, NewStep } from './queries.ts';

type StartRun = z.output<typeof startRun>;

export const runRow = (tenant_id: string, body: StartRun, started_at: number): NewRun => ({
  tenant_id,
  agent_name: body.agent_name,
  workflow_name: body.workflow_name,
  ...attribution(body),
  parent_run_id: body.parent_run_id ?? null,
  trace_id: body.trace_id ?? null,
  tags: JSON.stringify(body.tags ?? []),
  inputs: text(body.inputs),
  metadata: text(body.metadata),
  result: null,
  error: null,
  status: 'running',
  started_at,
  completed_at: null,
});

/** Clients send these three at the top or inside `metadata`; the top wins. */
export function attribution(run: StartRun) {
  const inside = (name: 'session_id' | 'user_id' | 'user_group'): string | null => {
    const value = run[name] ?? run.metadata?.[name];
    return typeof value === 'string' || Number.isFinite(value) ? String(value).slice(0, 200) : null;
  };
  return {
    session_id: inside('session_id'),
    user_id: inside('user_id'),
    user_group: inside('user_group'),
  };
}

type LlmCall = z.output<typeof llmCall>;

/** Price of one call in USD, or null when the model has no known price. */
export type PriceOf = (model: string, tokensIn: number, tokensOut: number) => number | null;

export const callRow = (call: LlmCall, created_at: number, priceOf: PriceOf): NewCall => ({
  created_at,
  model: call.model,
  task: call.task ?? null,
  tokens_in: call.tokens_in,
  tokens_out: call.tokens_out,
  total_tokens: call.tokens_in + call.tokens_out,
  cache_read_tokens: call.cache_read_tokens ?? 0,
  cache_write_tokens: call.cache_write_tokens ?? 0,
  provider: call.provider ?? null,
  duration_ms: call.duration_ms ?? null,
  ...costOf(call, priceOf),
  prompt_hash: call.prompt_hash ?? (call.prompt_preview ? promptHash(call.prompt_preview) : ''),
  prompt_preview: call.prompt_preview ?? '',
  response_preview: call.response_preview ?? '',
});

/** A cost that the client gives stays; otherwise the price table answers. */
export function costOf(call: LlmCall, priceOf: PriceOf) {
  if (call.cost !== undefined) return { cost: call.cost, cost_source: 'given' } as const;
  const price = priceOf(call.model, call.tokens_in, call.tokens_out);
  if (price === null) return { cost: 0, cost_source: 'unpriced' } as const;
  return { cost: price, cost_source: 'table' } as const;
}

const text = (value: unknown): string | null =>
  value === undefined ? null : JSON.stringify(value);

export const stepRow = (item: z.output<typeof step>, created_at: number): NewStep => ({
  created_at,
  step_name: item.step_name,
  output: text(item.output),
});

/** Spans without a position keep the order in which they came. */
export const spanRow = (
  item: z.output<typeof span>,
  index: number,
  created_at: number,
): NewSpan => ({
  created_at,
  name: item.name,
  kind: item.kind,
  status: item.status,
  duration_ms: item.duration_ms ?? null,
  position: item.position ?? index,
  attributes: text(item.attributes),
  input_data: text(item.input_data),
  output_data: text(item.output_data),
});

export const scoreRow = (
  item: z.output<typeof score>,
  id: string,
  created_at: number,
): NewScore => ({
  id,
  created_at,
  name: item.name,
  data_type: item.data_type,
  source: 'sdk',
  numeric_value: item.numeric_value ?? null,
  string_value: item.string_value ?? null,
  comment: item.comment ?? null,
  llm_call_id: null,
  llm_call_model: null,
  metadata: null,
  author_user_id: null,
  evaluator_id: null,
  evaluator_name: null,
});
