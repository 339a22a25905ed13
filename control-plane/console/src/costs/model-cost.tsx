import { formatMoney } from '../format.ts';

interface ModelCostProps {
  model: string;
  cost: number;
  /** Models that were called without a price. */
  unpriced: readonly { model: string }[];
}

/** What calls of a model cost in all: without a price, that is not nothing but unknown. */
export const ModelCost = ({ model, cost, unpriced }: ModelCostProps) =>
  cost === 0 && unpriced.some((one) => one.model === model) ? (
    <span className="muted" title="No price of this model is known">
      unpriced
    </span>
  ) : (
    formatMoney(cost)
  );
