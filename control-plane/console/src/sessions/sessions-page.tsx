import { sessionList } from '../data/analytics-sources.ts';
import type { SessionSort } from '../data/analytics-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { formatMany } from '../format.ts';
import { listFilterOf } from '../runs/list-filter.ts';
import { ListToolbar } from '../runs/list-toolbar.tsx';
import { Empty, Loaded } from '../parts/notice.tsx';
import { Page, Pager } from '../parts/page.tsx';
import { timeRangeOf } from '../time-range.ts';
import { offsetOf, useFilters } from '../use-filters.ts';
import { SessionsTable } from './sessions-table.tsx';

const limit = 50;

const sorts: Record<SessionSort, string> = {
  '-last_activity': 'Latest activity first',
  last_activity: 'Oldest activity first',
  '-first_run': 'Newest first',
  first_run: 'Oldest first',
  '-run_count': 'Most runs first',
  run_count: 'Fewest runs first',
};

export function SessionsPage() {
  const filters = useFilters();
  const offset = offsetOf(filters);
  const [filter, range] = [listFilterOf(filters, sorts), timeRangeOf(filters)];
  const reading = useQuery(sessionList({ limit, offset, ...filter }, range));
  const filtered = Boolean(filter.search ?? filter.agent) || Object.keys(range).length > 0;
  return (
    <Page
      title="Sessions"
      aside={
        reading.data && <span className="muted">{formatMany(reading.data.count, 'session')}</span>
      }
    >
      <ListToolbar
        filters={filters}
        searchLabel="Search session ids"
        sorts={sorts}
        firstSort="-last_activity"
      />
      <Loaded reading={reading}>
        {({ results, count }) =>
          results.length === 0 ? (
            <NoSessions filtered={filtered} />
          ) : (
            <>
              <SessionsTable sessions={results} stale={reading.stale} />
              <Pager
                label="Pages of sessions"
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

function NoSessions({ filtered }: { filtered: boolean }) {
  if (filtered) return <Empty title="No session matches these filters" />;
  return (
    <Empty title="No sessions yet">
      <p>
        Agents set the session when they start a run: <code>session_id</code> in the body of{' '}
        <code>POST {location.origin}/api/v1/observe/runs/start/</code>
      </p>
    </Empty>
  );
}
