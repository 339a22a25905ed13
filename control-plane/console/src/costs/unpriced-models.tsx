import { Link } from 'wouter';
import type { Unpriced } from '../data/analytics-sources.ts';
import { formatCount, formatCountInShort, formatMany, NONE } from '../format.ts';
import { Clipped } from '../parts/badge.tsx';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table.tsx';
import { Section } from '../parts/section.tsx';

const columns: Column<Unpriced>[] = [
  { name: 'Model', cell: ({ model }) => <Clipped mono text={model} /> },
  { name: 'Provider', width: '24%', cell: ({ provider }) => <Clipped text={provider || NONE} /> },
  { name: 'Calls', width: 110, align: 'end', cell: ({ call_count }) => formatCount(call_count) },
  { name: 'Tokens', width: 132, align: 'end', cell: (one) => formatCountInShort(one.total_tokens) },
];

const setPrice: Column<Unpriced> = {
  name: 'Actions',
  width: 112,
  align: 'end',
  cell: ({ model }) => (
    <Link
      className="button"
      to={`/settings/prices?${new URLSearchParams({ model }).toString()}`}
      aria-label={`Set price of ${model}`}
    >
      Set price
    </Link>
  ),
};

interface UnpricedModelsProps {
  models: readonly Unpriced[];
  mayPrice: boolean;
}

/** Models without a price, over all time: their calls are missing from the costs. */
export function UnpricedModels({ models, mayPrice }: UnpricedModelsProps) {
  if (models.length === 0) return null;
  const calls = models.reduce((sum, { call_count }) => sum + call_count, 0);
  return (
    <Section title="Models without a price" count={formatMany(calls, 'call')}>
      <p className="page-note muted">
        These calls count as $0.00. Set the price of a model, then recompute the recorded costs.
      </p>
      <DataTable
        label="Models without a price"
        columns={mayPrice ? [...columns, setPrice] : columns}
        rows={models}
        rowKey={({ model, provider }) => `${provider} ${model}`}
      />
    </Section>
  );
}
