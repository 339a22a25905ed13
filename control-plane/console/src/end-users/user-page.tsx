import { Link } from 'wouter';
import {
  userDetail,
  type TrackedUserDetail,
  unpriced,
  type Unpriced,
} from '../data/analytics-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { formatCount, formatMoney, formatCountInShort } from '../format.ts';
import { Ago } from '../parts/clock.tsx';
import { Loaded } from '../parts/notice.tsx';
import { Numbers } from '../parts/numbers.tsx';
import { Page, Pager } from '../parts/page.tsx';
import { Section } from '../parts/section.tsx';
import { Text } from '../parts/text.tsx';
import { RunsTable } from '../runs/runs-table.tsx';
import { offsetOf, useFilters } from '../use-filters.ts';
import { ModelCost } from '../costs/model-cost.tsx';
import { Clipped } from '../parts/badge.tsx';
import { DataTable, type Column } from '../parts/data-table.tsx';
import { Share } from '../parts/share.tsx';

type ModelUse = TrackedUserDetail['cost_by_model'][number];

const columnsOf = (total: number, withoutPrice: readonly Unpriced[]): Column<ModelUse>[] => [
  { name: 'Model', cell: ({ model }) => <Clipped mono text={model} /> },
  { name: 'Calls', width: 90, align: 'end', cell: ({ call_count }) => formatCount(call_count) },
  { name: 'Tokens', width: 120, align: 'end', cell: (one) => formatCountInShort(one.total_tokens) },
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

const LIMIT = 50;

export function UserPage({ id }: { id: string }) {
  const filters = useFilters();
  const offset = offsetOf(filters);
  const reading = useQuery(userDetail(id, { limit: LIMIT, offset }));
  return (
    <Page title={id} parent={{ name: 'End users', to: '/users' }}>
      <Loaded reading={reading}>
        {({ aggregates, cost_by_model, runs }) => (
          <>
            <Numbers numbers={numbersOf(aggregates)} />
            <p className="page-note muted">
              Agents: <Text>{aggregates.agents.join(', ')}</Text>
            </p>
            <div className="toolbar">
              <Link className="button" to={`/runs?${new URLSearchParams({ user: id })}`}>
                Runs in the list
              </Link>
              <Link
                className="button"
                to={`/runs?${new URLSearchParams({ user: id, status: 'error' })}`}
              >
                Failed runs
              </Link>
            </div>
            <UserCosts costs={cost_by_model} />
            <Section title="Runs" count={formatCount(aggregates.run_count)}>
              <RunsTable runs={runs} stale={reading.stale} />
              <Pager
                label="Pages of runs"
                {...{ offset, limit: LIMIT, count: aggregates.run_count }}
                onMove={(offset) => filters.set({ offset: offset ? String(offset) : '' })}
              />
            </Section>
          </>
        )}
      </Loaded>
    </Page>
  );
}

function numbersOf(user: TrackedUserDetail['aggregates']) {
  return [
    ['Runs', formatCount(user.run_count)],
    ['Failed runs', formatCount(user.error_count)],
    ['Tokens', formatCount(user.total_tokens)],
    ['Cost', formatMoney(user.total_cost)],
    ['First seen', <Ago key="first" at={user.first_seen} />],
    ['Last seen', <Ago key="last" at={user.last_seen} />],
  ] as const;
}
