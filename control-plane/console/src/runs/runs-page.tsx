import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { runListRoutes } from '#contract/run-list.ts';
import { runList, runTotals } from '../data/run-sources.ts';
import type { RunList, RunSummary, RunTotals } from '../data/run-sources.ts';
import type { LoadedList } from '../data/load-pages.ts';
import { scoreNames } from '../data/score-sources.ts';
import type { User } from '../data/session.ts';
import { useQuery } from '../data/use-query.ts';
import type { QueryResult } from '../data/use-query.ts';
import { formatCountInShort, formatMoneyInShort } from '../format.ts';
import { ListHistogram } from '../lists/list-histogram.tsx';
import { ListActions } from '../lists/list-actions.tsx';
import { ListTable } from '../lists/list-table.tsx';
import type { ListColumn } from '../lists/columns.ts';
import { usePageSelection } from '../lists/page-selection.tsx';
import { Empty, Loaded, Notice } from '../parts/notice.tsx';
import { Page, Pager } from '../parts/page.tsx';
import { pathTo } from '../path-id.ts';
import { queryOf, timeRangeOf } from '../time-range.ts';
import { offsetOf, useFilters } from '../use-filters.ts';
import type { Filters } from '../use-filters.ts';
import { SelectedRuns } from './selected-runs.tsx';
import { runColumnsWith } from './run-columns.tsx';
import { runMeasures } from './run-measures.ts';
import { FIRST_RUN_SORT, runFilterOf, runSortOf } from './run-filter.ts';
import { RunPanel } from './run-panel.tsx';
import { RunToolbar } from './run-toolbar.tsx';

const LIST = 'runs';
const LIMIT = 50;

export function RunsPage({ user }: { user: User }) {
  const filters = useFilters();
  const offset = offsetOf(filters);
  const [filter, range, sort] = [runFilterOf(filters), timeRangeOf(filters), runSortOf(filters)];
  const reading = useQuery(runList({ limit: LIMIT, offset, sort, ...filter }, range));
  const totals = useQuery(runTotals(filter, range));
  const names = useQuery(scoreNames()).data;
  const columns = runColumnsWith(names ?? []);
  const controls = (
    <ListActions
      list={LIST}
      columns={columns}
      count={reading.data?.count}
      path={runListRoutes.exportRuns.path}
      query={() => ({ ...filter, ...queryOf(range, Date.now()), sort })}
    />
  );
  return (
    <Page
      title={t`Runs`}
      aside={totals.data && <span className="muted">{totalsText(totals.data)}</span>}
    >
      <RunToolbar filters={filters} controls={controls} />
      {totals.data && (
        <ListHistogram
          measures={runMeasures}
          totals={totals.data}
          range={range}
          filters={filters}
        />
      )}
      <Loaded reading={reading}>
        {({ results, count, incomplete }) => (
          <>
            {incomplete && (
              <Notice tone="warn">
                <Trans>
                  The search covers only a part of the runs: narrow it, or try again in a minute.
                </Trans>
              </Notice>
            )}
            {results.length === 0 && count === 0 ? (
              <NoRuns filtered={Object.keys({ ...filter, ...range }).length > 0} />
            ) : (
              <RunRows {...{ columns, reading, filters, user }} list={{ results, count }} />
            )}
          </>
        )}
      </Loaded>
    </Page>
  );
}

interface RunRowsProps {
  list: LoadedList<RunSummary>;
  columns: readonly ListColumn<RunSummary>[];
  reading: QueryResult<RunList>;
  filters: Filters;
  user: User;
}

function RunRows({ list: { results, count }, columns, reading, filters, user }: RunRowsProps) {
  const selection = usePageSelection(results.map(keyOf));
  return (
    <>
      <SelectedRuns selection={selection} user={user} />
      <ListTable
        list={LIST}
        label={t`Runs`}
        columns={columns}
        rows={results}
        rowKey={keyOf}
        filters={filters}
        firstSort={FIRST_RUN_SORT}
        panel={panelOf}
        selection={{ ...selection, nameOf: ({ id }) => t`run ${id}` }}
        stale={reading.stale}
      />
      <Pager
        label={t`Pages of runs`}
        {...{ offset: offsetOf(filters), limit: LIMIT, count }}
        onMove={(offset) => filters.set({ offset: offset ? String(offset) : '' })}
      />
    </>
  );
}

const keyOf = ({ id }: RunSummary): string => String(id);

const panelOf = (key: string) => ({
  title: t`Run ${key}`,
  page: pathTo('runs', key),
  content: <RunPanel key={key} id={key} />,
});

const totalsText = ({ count, total_cost, total_tokens, error_count }: RunTotals): string =>
  [
    plural(count, { one: '# run', other: '# runs' }),
    formatMoneyInShort(total_cost),
    t`${formatCountInShort(total_tokens)} tokens`,
    t`${plural(error_count, { one: '# run', other: '# runs' })} failed`,
  ].join(' · ');

function NoRuns({ filtered }: { filtered: boolean }) {
  if (filtered) return <Empty title={t`No run matches these filters`} />;
  return (
    <Empty title={t`No runs yet`}>
      <p>
        <Trans>
          Agents record runs with an API key that has the permission <code>record</code>:{' '}
          <code>POST {location.origin}/api/v1/observe/runs/start/</code>
        </Trans>
      </p>
    </Empty>
  );
}
