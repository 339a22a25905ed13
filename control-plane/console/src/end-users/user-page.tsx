import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
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
import { KeyFigures } from '../parts/key-figures.tsx';
import { Page, Pager } from '../parts/page.tsx';
import { Section } from '../parts/section.tsx';
import { Text } from '../parts/text.tsx';
import { RunsTable } from '../runs/runs-table.tsx';
import { offsetOf, useFilters } from '../use-filters.ts';
import { ModelCost } from '../costs/model-cost.tsx';
import { Clipped } from '../parts/badge.tsx';
import { DataTable, type Column } from '../parts/data-table.tsx';
import { PercentageBar } from '../parts/percentage-bar.tsx';

type ModelUse = TrackedUserDetail['cost_by_model'][number];

const columnsOf = (total: number, withoutPrice: readonly Unpriced[]): Column<ModelUse>[] => [
  { name: t`Model`, cell: ({ model }) => <Clipped mono text={model} /> },
  { name: t`Calls`, width: 90, align: 'end', cell: ({ call_count }) => formatCount(call_count) },
  {
    name: t`Tokens`,
    width: 120,
    align: 'end',
    cell: (one) => formatCountInShort(one.total_tokens),
  },
  {
    name: t`Cost`,
    width: 110,
    align: 'end',
    cell: ({ model, total_cost }) => (
      <ModelCost model={model} cost={total_cost} unpriced={withoutPrice} />
    ),
  },
  {
    name: t`Share of cost`,
    width: '28%',
    cell: ({ total_cost }) => (
      <PercentageBar percentage={total > 0 ? (total_cost / total) * 100 : 0} />
    ),
  },
];

export function UserCosts({ costs }: { costs: readonly ModelUse[] }) {
  const { data: withoutPrice = [] } = useQuery(unpriced());
  const total = costs.reduce((sum, { total_cost }) => sum + total_cost, 0);
  return (
    <Section title={t`Cost by model`} empty={costs.length === 0 && t`No LLM calls were recorded.`}>
      <DataTable
        label={t`Cost by model`}
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
    <Page title={id} parent={{ name: t`End users`, to: '/users' }}>
      <Loaded reading={reading}>
        {({ aggregates, cost_by_model, runs }) => (
          <>
            <KeyFigures numbers={numbersOf(aggregates)} />
            <p className="page-note muted">
              <Trans>
                Agents: <Text>{aggregates.agents.join(', ')}</Text>
              </Trans>
            </p>
            <div className="toolbar">
              <Link className="button" to={`/runs?${new URLSearchParams({ user: id })}`}>
                <Trans>Runs in the list</Trans>
              </Link>
              <Link
                className="button"
                to={`/runs?${new URLSearchParams({ user: id, status: 'error' })}`}
              >
                <Trans>Failed runs</Trans>
              </Link>
            </div>
            <UserCosts costs={cost_by_model} />
            <Section title={t`Runs`} count={formatCount(aggregates.run_count)}>
              <RunsTable runs={runs} stale={reading.stale} />
              <Pager
                label={t`Pages of runs`}
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
    [t`Runs`, formatCount(user.run_count)],
    [t`Failed runs`, formatCount(user.error_count)],
    [t`Tokens`, formatCount(user.total_tokens)],
    [t`Cost`, formatMoney(user.total_cost)],
    [t`First seen`, <Ago key="first" at={user.first_seen} />],
    [t`Last seen`, <Ago key="last" at={user.last_seen} />],
  ] as const;
}
