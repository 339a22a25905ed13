import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Link } from 'wouter';
import type { Unpriced } from '../data/analytics-sources.ts';
import { formatCount, formatCountInShort, NONE } from '../format.ts';
import { Clipped } from '../parts/badge.tsx';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table.tsx';
import { Section } from '../parts/section.tsx';

const columns: Column<Unpriced>[] = [
  { name: t`Model`, cell: ({ model }) => <Clipped mono text={model} /> },
  { name: t`Provider`, width: '24%', cell: ({ provider }) => <Clipped text={provider || NONE} /> },
  { name: t`Calls`, width: 110, align: 'end', cell: ({ call_count }) => formatCount(call_count) },
  {
    name: t`Tokens`,
    width: 132,
    align: 'end',
    cell: (one) => formatCountInShort(one.total_tokens),
  },
];

const setPrice: Column<Unpriced> = {
  name: t`Actions`,
  width: 112,
  align: 'end',
  cell: ({ model }) => (
    <Link
      className="button"
      to={`/settings/prices?${new URLSearchParams({ model }).toString()}`}
      aria-label={t`Set price of ${model}`}
    >
      <Trans>Set price</Trans>
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
    <Section
      title={t`Models without a price`}
      count={plural(calls, { one: '# call', other: '# calls' })}
    >
      <p className="page-note muted">
        <Trans>
          These calls count as $0.00. Set the price of a model, then recompute the recorded costs.
        </Trans>
      </p>
      <DataTable
        label={t`Models without a price`}
        columns={mayPrice ? [...columns, setPrice] : columns}
        rows={models}
        rowKey={({ model, provider }) => `${provider} ${model}`}
      />
    </Section>
  );
}
