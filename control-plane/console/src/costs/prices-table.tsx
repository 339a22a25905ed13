import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { ModelPrice } from '../data/settings-sources.ts';
import { NONE } from '../format.ts';
import { Badge, Clipped } from '../parts/badge.tsx';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table.tsx';
import { formatRate, sourceNames } from './price-list.ts';

interface PricesTableProps {
  prices: readonly ModelPrice[];
  /** Undefined if the user may not edit prices. */
  onEdit: ((price: ModelPrice) => void) | undefined;
  onRemove: (price: ModelPrice) => void;
}

export const PricesTable = ({ prices, onEdit, onRemove }: PricesTableProps) => (
  <DataTable
    label={t`Model prices`}
    columns={onEdit ? [...columns, actionsOf(onEdit, onRemove)] : columns}
    rows={prices}
    rowKey={({ model_id }) => model_id}
  />
);

const columns: Column<ModelPrice>[] = [
  { name: t`Model`, cell: ({ model_id }) => <Clipped mono text={model_id} /> },
  {
    name: t`Provider`,
    width: 112,
    wideOnly: true,
    cell: ({ provider }) => <Clipped text={provider ?? NONE} />,
  },
  {
    name: t`Input`,
    width: 98,
    align: 'end',
    cell: (one) => formatRate(one.input_cost_per_million),
  },
  {
    name: t`Output`,
    width: 98,
    align: 'end',
    cell: (one) => formatRate(one.output_cost_per_million),
  },
  {
    name: t`Cache read`,
    width: 96,
    align: 'end',
    wideOnly: true,
    cell: (one) => formatRate(one.cache_read_cost_per_million),
  },
  {
    name: t`Cache write`,
    width: 96,
    align: 'end',
    wideOnly: true,
    cell: (one) => formatRate(one.cache_write_cost_per_million),
  },
  {
    name: t`Source`,
    width: 128,
    cell: ({ source }) => (
      <Badge tone={source === 'override' ? 'accent' : 'neutral'}>{sourceNames[source]}</Badge>
    ),
  },
];

const actionsOf = (
  onEdit: (price: ModelPrice) => void,
  onRemove: (price: ModelPrice) => void,
): Column<ModelPrice> => ({
  name: t`Actions`,
  width: 172,
  align: 'end',
  cell: (price) => (
    <span className="button-row">
      <button
        type="button"
        className="button"
        aria-label={
          price.is_override
            ? t`Edit the price of ${price.model_id}`
            : t`Override the price of ${price.model_id}`
        }
        onClick={() => onEdit(price)}
      >
        {price.is_override ? t`Edit` : t`Override`}
      </button>
      {price.is_override && (
        <button
          type="button"
          className="button danger"
          aria-label={t`Remove the custom price of ${price.model_id}`}
          onClick={() => onRemove(price)}
        >
          <Trans>Remove</Trans>
        </button>
      )}
    </span>
  ),
});
