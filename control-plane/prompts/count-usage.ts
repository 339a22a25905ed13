import type { Tally } from '../usage/tally.ts';

export interface PromptedCall {
  tenant_id: string;
  prompt_hash: string;
  prompt_counted: 0 | 1;
  total_tokens: number;
  cost: number;
}

/**
 * Counts calls for the prompt version with their text. With `sign` −1, subtracts those that were
 * counted.
 */
export function countPrompts(tally: Tally, calls: readonly PromptedCall[], sign: 1 | -1 = 1): void {
  for (const { tenant_id, prompt_hash, prompt_counted, total_tokens, cost } of calls)
    if (prompt_counted === 1)
      tally.add('prompt_usage', {
        tenant_id,
        content_hash: prompt_hash,
        call_count: sign,
        total_tokens: sign * total_tokens,
        total_cost: sign * cost,
      });
}
