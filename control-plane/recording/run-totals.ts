import type { Tables } from '../storage/tables.ts';

/** Totals of the calls of a run. */
export type RunTotals = Pick<Tables['runs'], 'llm_call_count' | 'tokens' | 'cost'>;

type CountedCall = Pick<Tables['llm_calls'], 'total_tokens' | 'cost'>;

export function totalsOf(calls: readonly CountedCall[]): RunTotals {
  const totals = { llm_call_count: 0, tokens: 0, cost: 0 };
  addCalls(totals, calls);
  return totals;
}

export function addCalls(totals: RunTotals, calls: readonly CountedCall[]): void {
  totals.llm_call_count += calls.length;
  for (const call of calls) {
    totals.tokens += call.total_tokens;
    totals.cost += call.cost;
  }
}
