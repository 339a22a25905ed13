import { t } from '@lingui/core/macro';
import { Link } from 'wouter';
import type { ModelUsage, Period, Unpriced } from '../data/analytics-sources.ts';
import { formatCount, formatCountInShort } from '../format.ts';
import { Clipped } from '../parts/badge.tsx';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table.tsx';
import { Section } from '../parts/section.tsx';
import { PercentageBar } from '../parts/percentage-bar.tsx';
import { ModelCost } from './model-cost.tsx';
import { colourOf } from './usage-by-day.ts';
import './model-totals.css';

type ModelTotal = ModelUsage['model_totals'][number];

interface ModelTotalsProps {
  totals: readonly ModelTotal[];
  ranking: readonly string[];
  unpriced: readonly Unpriced[];
  period: Period;
  agent: string;
  stale: boolean;
}

/** Table of the cost by model. It is also the legend of the chart. */
export function ModelTotals(props: ModelTotalsProps) {
  const { totals, stale } = props;
  return (
    <Section title={t`Models`} count={formatCount(totals.length)}>
      <DataTable
        label={t`Models`}
        columns={columnsFor(props)}
        rows={totals}
        rowKey={({ model }) => model}
        stale={stale}
      />
    </Section>
  );
}

const columnsFor = (props: ModelTotalsProps): Column<ModelTotal>[] => [
  { name: t`Model`, cell: ({ model }) => <ModelName model={model} {...props} /> },
  { name: t`Calls`, width: 100, align: 'end', cell: (one) => formatCount(one.total_calls) },
  {
    name: t`Tokens`,
    width: 132,
    align: 'end',
    cell: (one) => formatCountInShort(one.total_tokens),
  },
  {
    name: t`Cost`,
    width: 110,
    align: 'end',
    cell: ({ model, total_cost }) => (
      <ModelCost model={model} cost={total_cost} unpriced={props.unpriced} />
    ),
  },
  {
    name: t`Share of cost`,
    width: '28%',
    cell: ({ model, percentage }) => (
      <PercentageBar percentage={percentage} colour={colourOf(props.ranking, model)} />
    ),
  },
];

/** Links to the calls of the model. */
function ModelName({ model, ranking, period, agent }: ModelTotalsProps & { model: string }) {
  const calls = new URLSearchParams({ model, since: period, ...(agent && { agent }) });
  return (
    <span className="name-cell">
      <span className={`swatch series-${colourOf(ranking, model)}`} aria-hidden="true" />
      <Link to={`/llm-calls?${calls}`}>
        <Clipped mono text={model} />
      </Link>
    </span>
  );
}
