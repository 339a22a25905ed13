import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { LlmCall } from '../data/llm-call-sources.ts';
import { formatMoneyInShort } from '../format.ts';

type Source = LlmCall['cost_source'];

/** Names of the sources of a call's cost. */
export const priceNames: Record<Source, string> = {
  given: t`sent with the call`,
  override: t`custom price`,
  override_prefix: t`custom price (model name prefix)`,
  file: t`price file`,
  file_prefix: t`price file (model name prefix)`,
  table: t`price table`,
  table_prefix: t`price table (model name prefix)`,
  unpriced: t`no price known`,
};

/** The cost of a call. Without a price it is unknown, not zero. */
export const Cost = ({ call }: { call: Pick<LlmCall, 'cost' | 'cost_source'> }) =>
  call.cost_source === 'unpriced' ? (
    <span className="muted" title={t`No price is known for this model`}>
      <Trans>unpriced</Trans>
    </span>
  ) : (
    formatMoneyInShort(call.cost)
  );
