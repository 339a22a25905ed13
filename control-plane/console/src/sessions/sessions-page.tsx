import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { analyticsRoutes, sessionSorts } from '#contract/analytics.ts';
import {
  sessionCounts,
  sessionList,
  type SessionSort,
  sessionDetail,
} from '../data/analytics-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { GroupListPage } from '../runs/group-list-page.tsx';
import { Empty, Loaded } from '../parts/notice.tsx';
import { pathTo } from '../path-id.ts';
import { sessionColumns } from './session-columns.tsx';
import { GroupFacts } from '../lists/group-facts.tsx';

const RUNS = 20;

/** Side panel of a session. */
export const SessionPanel = ({ id }: { id: string }) => (
  <Loaded reading={useQuery(sessionDetail(id, RUNS))}>
    {({ aggregates, runs }) => <GroupFacts totals={aggregates} runs={runs} />}
  </Loaded>
);

const times = [
  { id: 'last_activity', name: t`Last activity`, within: t`last activity` },
  { id: 'first_run', name: t`First run`, within: t`first run` },
] as const;

const sorts: readonly SessionSort[] = sessionSorts.flatMap((name) => [name, `-${name}`] as const);

export const SessionsPage = () => (
  <GroupListPage
    list="sessions"
    title={t`Sessions`}
    formatCount={(count) => plural(count, { one: '# session', other: '# sessions' })}
    searchLabel={t`Search session ids`}
    pagerLabel={t`Pages of sessions`}
    times={times}
    sorts={sorts}
    firstSort="-last_activity"
    columns={sessionColumns}
    rowKey={({ session_id }) => session_id}
    exportPath={analyticsRoutes.exportSessions.path}
    rowsOf={sessionList}
    countsOf={sessionCounts}
    panel={panelOf}
    noMatch={t`No session matches these filters`}
    empty={<NoSessions />}
  />
);

const panelOf = (id: string) => ({
  title: id,
  page: pathTo('sessions', id),
  content: <SessionPanel key={id} id={id} />,
});

function NoSessions() {
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
