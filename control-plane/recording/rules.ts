import type { z } from 'zod';
import type { llmCall, score, span, startRun, step } from '#contract/recording.ts';

type StartRun = z.output<typeof startRun>;

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

/** Price of one call in USD, or null when the model has no known price. */
export type PriceOf = (model: string, tokensIn: number, tokensOut: number) => number | null;

/** A cost that the client gives stays; otherwise the price table answers. */
export function costOf(call: z.output<typeof llmCall>, priceOf: PriceOf) {
  if (call.cost !== undefined) return { cost: call.cost, cost_source: 'given' } as const;
  const price = priceOf(call.model, call.tokens_in, call.tokens_out);
  if (price === null) return { cost: 0, cost_source: 'unpriced' } as const;
  return { cost: price, cost_source: 'table' } as const;
}

const text = (value: unknown): string | null =>
  value === undefined ? null : JSON.stringify(value);

export const stepRow = (item: z.output<typeof step>) => ({
  step_name: item.step_name,
  output: text(item.output),
});

/** Spans without a position keep the order in which they came. */
export const spanRow = (item: z.output<typeof span>, index: number) => ({
  name: item.name,
  kind: item.kind,
  status: item.status,
  duration_ms: item.duration_ms ?? null,
  position: item.position ?? index,
  attributes: text(item.attributes),
  input_data: text(item.input_data),
  output_data: text(item.output_data),
});

export const scoreRow = (item: z.output<typeof score>) => ({
  name: item.name,
  data_type: item.data_type,
  numeric_value: item.numeric_value ?? null,
  string_value: item.string_value ?? null,
  comment: item.comment ?? null,
});
