import type { Unpriced } from '../data/analytics-sources.ts';
import { formatCount, formatMany, none } from '../format.ts';
import { Clipped } from '../parts/badge.tsx';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table.tsx';
import { Section } from '../parts/section.tsx';

const columns: Column<Unpriced>[] = [
  { name: 'Model', cell: ({ model }) => <Clipped mono text={model} /> },
  { name: 'Provider', width: '24%', cell: ({ provider }) => <Clipped text={provider || none} /> },
  { name: 'Calls', width: 110, align: 'end', cell: ({ call_count }) => formatCount(call_count) },
  { name: 'Tokens', width: 132, align: 'end', cell: (one) => formatCount(one.total_tokens) },
];

/** Models without a price, over all time: their calls are missing from the costs above. */
export function UnpricedModels({ models }: { models: readonly Unpriced[] }) {
  if (models.length === 0) return null;
  const calls = models.reduce((sum, { call_count }) => sum + call_count, 0);
  return (
    <Section title="Unpriced models" count={formatMany(calls, 'call')}>
      <p className="page-note muted">
        These calls count as $0. Set the price of a model with <code>PUT {base}…/</code>, then
        recompute costs with <code>POST {base}recompute/</code>.
      </p>
      <DataTable
        label="Unpriced models"
        columns={columns}
        rows={models}
        rowKey={({ model, provider }) => `${provider} ${model}`}
      />
    </Section>
  );
}

const base = '/api/v1/observe/model-costs/';
