import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { analyticsRoutes, MAX_EXPORTED_GROUPS, userSorts } from '#contract/analytics.ts';
import {
  userCounts,
  userList,
  type TrackedUserSort,
  userDetail,
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
import { userColumns } from './user-columns.tsx';
import { GroupFacts } from '../lists/group-facts.tsx';

const RUNS = { limit: 20, offset: 0 };

/** An end user beside the list. */
export const UserPanel = ({ id }: { id: string }) => (
  <Loaded reading={useQuery(userDetail(id, RUNS))}>
    {({ aggregates, runs }) => <GroupFacts totals={aggregates} runs={runs} />}
  </Loaded>
);

const LIMIT = 50;

const LIST = 'end-users';
const FIRST_SORT = '-last_seen';

const times = [
  { id: 'last_seen', name: t`Last seen`, within: t`last seen` },
  { id: 'first_seen', name: t`First seen`, within: t`first seen` },
] as const;

const sorts: readonly TrackedUserSort[] = userSorts.flatMap((name) => [name, `-${name}`] as const);

export function UsersPage() {
  const filters = useFilters();
  const offset = offsetOf(filters);
  const { sort, ...found } = listFilterOf(filters, sorts);
  const selected = { ...found, ...rangedTimeOf(filters, times) };
  const [filter, range] = [{ ...selected, ...(sort && { sort }) }, timeRangeOf(filters)];
  const reading = useQuery(userList({ limit: LIMIT, offset, ...filter }, range));
  const by = shownTimeOf(filters, times);
  const { data: counts } = useQuery(userCounts({ ...selected, by }, range));
  const filtered = Boolean(filter.search ?? filter.agent) || Object.keys(range).length > 0;
  return (
    <Page
      title={t`End users`}
      aside={
        reading.data && (
          <span className="muted">
            {plural(reading.data.count, { one: '# user', other: '# users' })}
          </span>
        )
      }
    >
      <ListToolbar
        filters={filters}
        times={times}
        searchLabel={t`Search user ids`}
        controls={
          <ListActions
            list={LIST}
            columns={userColumns}
            count={reading.data?.count}
            most={MAX_EXPORTED_GROUPS}
            path={analyticsRoutes.exportTrackedUsers.path}
            query={() => ({ ...filter, ...queryOf(range, Date.now()) })}
          />
        }
      />
      <CountHistogram
        counts={counts}
        format={(count) => plural(count, { one: '# user', other: '# users' })}
        times={times}
        range={range}
        filters={filters}
      />
      <Loaded reading={reading}>
        {({ results, count }) =>
          results.length === 0 ? (
            <NoUsers filtered={filtered} />
          ) : (
            <>
              <ListTable
                list={LIST}
                label={t`End users`}
                columns={userColumns}
                rows={results}
                rowKey={({ user_id }) => user_id}
                filters={filters}
                firstSort={FIRST_SORT}
                panel={panelOf}
                stale={reading.stale}
              />
              <Pager
                label={t`Pages of users`}
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
  page: pathTo('users', id),
  content: <UserPanel key={id} id={id} />,
});

function NoUsers({ filtered }: { filtered: boolean }) {
  if (filtered) return <Empty title={t`No user matches these filters`} />;
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
