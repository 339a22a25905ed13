import { ModelCost } from '../costs/model-cost.tsx';
import { unpriced } from '../data/analytics-sources.ts';
import type { TrackedUserDetail, Unpriced } from '../data/analytics-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { formatCount } from '../format.ts';
import { Clipped } from '../parts/badge.tsx';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table.tsx';
import { Section } from '../parts/section.tsx';
import { Share } from '../parts/share.tsx';

type ModelUse = TrackedUserDetail['cost_by_model'][number];

const columnsOf = (total: number, withoutPrice: readonly Unpriced[]): Column<ModelUse>[] => [
  { name: 'Model', cell: ({ model }) => <Clipped mono text={model} /> },
  { name: 'Calls', width: 90, align: 'end', cell: ({ call_count }) => formatCount(call_count) },
  { name: 'Tokens', width: 120, align: 'end', cell: (one) => formatCount(one.total_tokens) },
  {
    name: 'Cost',
    width: 110,
    align: 'end',
    cell: ({ model, total_cost }) => (
      <ModelCost model={model} cost={total_cost} unpriced={withoutPrice} />
    ),
  },
  {
    name: 'Share of cost',
    width: '28%',
    cell: ({ total_cost }) => <Share percentage={total > 0 ? (total_cost / total) * 100 : 0} />,
  },
];

export function UserCosts({ costs }: { costs: readonly ModelUse[] }) {
  const { data: withoutPrice = [] } = useQuery(unpriced());
  const total = costs.reduce((sum, { total_cost }) => sum + total_cost, 0);
  return (
    <Section title="Cost by model" empty={costs.length === 0 && 'No LLM calls were recorded.'}>
      <DataTable
        label="Cost by model"
        columns={columnsOf(total, withoutPrice)}
        rows={costs}
        rowKey={({ model }) => model}
      />
    </Section>
  );
}
