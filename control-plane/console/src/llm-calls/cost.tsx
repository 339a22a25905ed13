import type { LlmCall } from '../data/llm-call-sources.ts';
import { formatMoney } from '../format.ts';

type Source = LlmCall['cost_source'];

/** Where a price came from. */
export const priceNames: Record<Source, string> = {
  given: 'sent with the call',
  override: 'your price',
  override_prefix: 'your price, by the beginning of the model name',
  file: 'price file',
  file_prefix: 'price file, by the beginning of the model name',
  table: 'price table',
  table_prefix: 'price table, by the beginning of the model name',
  unpriced: 'no price known',
};

/** A call without a price did not cost nothing. */
export const Cost = ({ call }: { call: Pick<LlmCall, 'cost' | 'cost_source'> }) =>
  call.cost_source === 'unpriced' ? (
    <span className="muted" title="No price of this model is known">
      unpriced
    </span>
  ) : (
    formatMoney(call.cost)
  );
