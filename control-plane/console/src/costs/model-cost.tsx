import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { formatMoneyInShort } from '../format.ts';

interface ModelCostProps {
  model: string;
  cost: number;
  /** Models with calls but without a price. */
  unpriced: readonly { model: string }[];
}

/** Total cost of a model. Without a price the cost is unknown, not zero. */
export const ModelCost = ({ model, cost, unpriced }: ModelCostProps) =>
  cost === 0 && unpriced.some((one) => one.model === model) ? (
    <span className="muted" title={t`No price is known for this model`}>
      <Trans>unpriced</Trans>
    </span>
  ) : (
    formatMoneyInShort(cost)
  );
