import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { analyticsRoutes, userSorts } from '#contract/analytics.ts';
import {
  userCounts,
  userList,
  type TrackedUserSort,
  userDetail,
} from '../data/analytics-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { GroupListPage } from '../runs/group-list-page.tsx';
import { Empty, Loaded } from '../parts/notice.tsx';
import { pathTo } from '../path-id.ts';
import { userColumns } from './user-columns.tsx';
import { GroupFacts } from '../lists/group-facts.tsx';

const RUNS = { limit: 20, offset: 0 };

/** Side panel of an end user. */
export const UserPanel = ({ id }: { id: string }) => (
  <Loaded reading={useQuery(userDetail(id, RUNS))}>
    {({ aggregates, runs }) => <GroupFacts totals={aggregates} runs={runs} />}
  </Loaded>
);

const times = [
  { id: 'last_seen', name: t`Last seen`, within: t`last seen` },
  { id: 'first_seen', name: t`First seen`, within: t`first seen` },
] as const;

const sorts: readonly TrackedUserSort[] = userSorts.flatMap((name) => [name, `-${name}`] as const);

export const UsersPage = () => (
  <GroupListPage
    list="end-users"
    title={t`End users`}
    formatCount={(count) => plural(count, { one: '# user', other: '# users' })}
    searchLabel={t`Search user ids`}
    pagerLabel={t`Pages of users`}
    times={times}
    sorts={sorts}
    firstSort="-last_seen"
    columns={userColumns}
    rowKey={({ user_id }) => user_id}
    exportPath={analyticsRoutes.exportTrackedUsers.path}
    rowsOf={userList}
    countsOf={userCounts}
    panel={panelOf}
    noMatch={t`No user matches these filters`}
    empty={<NoUsers />}
  />
);

const panelOf = (id: string) => ({
  title: id,
  page: pathTo('users', id),
  content: <UserPanel key={id} id={id} />,
});

function NoUsers() {
  return (
    <Empty title={t`No users yet`}>
      <p>
        <Trans>
          Agents set the user when they start a run: <code>user_id</code> in the body of{' '}
          <code>POST {location.origin}/api/v1/observe/runs/start/</code>
        </Trans>
      </p>
    </Empty>
  );
}
