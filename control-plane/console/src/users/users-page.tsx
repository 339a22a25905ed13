import { userList } from '../data/analytics-sources.ts';
import type { TrackedUserSort } from '../data/analytics-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { formatMany } from '../format.ts';
import { listFilterOf } from '../runs/list-filter.ts';
import { ListToolbar } from '../runs/list-toolbar.tsx';
import { Empty, Loaded } from '../parts/notice.tsx';
import { Page, Pager } from '../parts/page.tsx';
import { timeRangeOf } from '../time-range.ts';
import { offsetOf, useFilters } from '../use-filters.ts';
import { UsersTable } from './users-table.tsx';

const limit = 50;

const sorts: Record<TrackedUserSort, string> = {
  '-last_seen': 'Most recently seen first',
  last_seen: 'Least recently seen first',
  '-first_seen': 'Newest first',
  first_seen: 'Oldest first',
  '-run_count': 'Most runs first',
  run_count: 'Fewest runs first',
};

export function UsersPage() {
  const filters = useFilters();
  const offset = offsetOf(filters);
  const [filter, range] = [listFilterOf(filters, sorts), timeRangeOf(filters)];
  const reading = useQuery(userList({ limit, offset, ...filter }, range));
  const filtered = Boolean(filter.search ?? filter.agent) || Object.keys(range).length > 0;
  return (
    <Page
      title="Users"
      aside={
        reading.data && <span className="muted">{formatMany(reading.data.count, 'user')}</span>
      }
    >
      <ListToolbar
        filters={filters}
        searchLabel="Search user ids"
        sorts={sorts}
        firstSort="-last_seen"
      />
      <Loaded reading={reading}>
        {({ results, count }) =>
          results.length === 0 ? (
            <NoUsers filtered={filtered} />
          ) : (
            <>
              <UsersTable users={results} stale={reading.stale} />
              <Pager
                label="Pages of users"
                {...{ offset, limit, count }}
                onMove={(offset) => filters.set({ offset: offset ? String(offset) : '' })}
              />
            </>
          )
        }
      </Loaded>
    </Page>
  );
}

function NoUsers({ filtered }: { filtered: boolean }) {
  if (filtered) return <Empty title="No user matches these filters" />;
  return (
    <Empty title="No users yet">
      <p>
        Agents set the user when they start a run: <code>user_id</code> in the body of{' '}
        <code>POST {location.origin}/api/v1/observe/runs/start/</code>
      </p>
    </Empty>
  );
}
