import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { analyticsRoutes, MAX_EXPORTED_GROUPS, sessionSorts } from '#contract/analytics.ts';
import {
  sessionCounts,
  sessionList,
  type SessionSort,
  sessionDetail,
} from '../data/analytics-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { CountHistogram } from '../lists/count-histogram.tsx';
import { ListActions } from '../lists/list-actions.tsx';
import { rangedTimeOf, shownTimeOf } from '../lists/list-times.ts';
import { ListTable } from '../lists/list-table.tsx';
import { listFilterOf, ListToolbar } from '../runs/list-toolbar.tsx';
import { Empty, Loaded } from '../parts/notice.tsx';
import { Page, Pager } from '../parts/page.tsx';
import { pathTo } from '../path-id.ts';
import { queryOf, timeRangeOf } from '../time-range.ts';
import { offsetOf, useFilters } from '../use-filters.ts';
import { sessionColumns } from './session-columns.tsx';
import { GroupFacts } from '../lists/group-facts.tsx';

const RUNS = 20;

/** A session beside the list. */
export const SessionPanel = ({ id }: { id: string }) => (
  <Loaded reading={useQuery(sessionDetail(id, RUNS))}>
    {({ aggregates, runs }) => <GroupFacts totals={aggregates} runs={runs} />}
  </Loaded>
);

const LIMIT = 50;

const LIST = 'sessions';
const FIRST_SORT = '-last_activity';

const times = [
  { id: 'last_activity', name: t`Last activity`, within: t`last activity` },
  { id: 'first_run', name: t`First run`, within: t`first run` },
] as const;

const sorts: readonly SessionSort[] = sessionSorts.flatMap((name) => [name, `-${name}`] as const);

export function SessionsPage() {
  const filters = useFilters();
  const offset = offsetOf(filters);
  const { sort, ...found } = listFilterOf(filters, sorts);
  const selected = { ...found, ...rangedTimeOf(filters, times) };
  const [filter, range] = [{ ...selected, ...(sort && { sort }) }, timeRangeOf(filters)];
  const reading = useQuery(sessionList({ limit: LIMIT, offset, ...filter }, range));
  const by = shownTimeOf(filters, times);
  const { data: counts } = useQuery(sessionCounts({ ...selected, by }, range));
  const filtered = Boolean(filter.search ?? filter.agent) || Object.keys(range).length > 0;
  return (
    <Page
      title={t`Sessions`}
      aside={
        reading.data && (
          <span className="muted">
            {plural(reading.data.count, { one: '# session', other: '# sessions' })}
          </span>
        )
      }
    >
      <ListToolbar
        filters={filters}
        times={times}
        searchLabel={t`Search session ids`}
        controls={
          <ListActions
            list={LIST}
            columns={sessionColumns}
            count={reading.data?.count}
            most={MAX_EXPORTED_GROUPS}
            path={analyticsRoutes.exportSessions.path}
            query={() => ({ ...filter, ...queryOf(range, Date.now()) })}
          />
        }
      />
      <CountHistogram
        counts={counts}
        format={(count) => plural(count, { one: '# session', other: '# sessions' })}
        times={times}
        range={range}
        filters={filters}
      />
      <Loaded reading={reading}>
        {({ results, count }) =>
          results.length === 0 ? (
            <NoSessions filtered={filtered} />
          ) : (
            <>
              <ListTable
                list={LIST}
                label={t`Sessions`}
                columns={sessionColumns}
                rows={results}
                rowKey={({ session_id }) => session_id}
                filters={filters}
                firstSort={FIRST_SORT}
                panel={panelOf}
                stale={reading.stale}
              />
              <Pager
                label={t`Pages of sessions`}
                {...{ offset, limit: LIMIT, count }}
                onMove={(offset) => filters.set({ offset: offset ? String(offset) : '' })}
              />
            </>
          )
        }
      </Loaded>
    </Page>
  );
}

const panelOf = (id: string) => ({
  title: id,
  page: pathTo('sessions', id),
  content: <SessionPanel key={id} id={id} />,
});

function NoSessions({ filtered }: { filtered: boolean }) {
  if (filtered) return <Empty title={t`No session matches these filters`} />;
  return (
    <Empty title={t`No sessions yet`}>
      <p>
        <Trans>
          Agents set the session when they start a run: <code>session_id</code> in the body of{' '}
          <code>POST {location.origin}/api/v1/observe/runs/start/</code>
        </Trans>
      </p>
    </Empty>
  );
}
