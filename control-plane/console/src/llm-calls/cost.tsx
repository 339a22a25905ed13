import type { LlmCall } from '../data/llm-call-sources.ts';
import { formatMoneyInShort } from '../format.ts';

type Source = LlmCall['cost_source'];

/** Where the cost of a call comes from. */
export const priceNames: Record<Source, string> = {
  given: 'sent with the call',
  override: 'custom price',
  override_prefix: 'custom price (model name prefix)',
  file: 'price file',
  file_prefix: 'price file (model name prefix)',
  table: 'price table',
  table_prefix: 'price table (model name prefix)',
  unpriced: 'no price known',
};

/** Without a price the cost of a call is unknown, not zero. */
export const Cost = ({ call }: { call: Pick<LlmCall, 'cost' | 'cost_source'> }) =>
  call.cost_source === 'unpriced' ? (
    <span className="muted" title="No price is known for this model">
      unpriced
    </span>
  ) : (
    formatMoneyInShort(call.cost)
  );
