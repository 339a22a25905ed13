import { Link } from 'wouter';
import type { Session } from '../data/analytics-sources.ts';
import { formatCount, formatDuration, formatMoney } from '../format.ts';
import { Clipped } from '../parts/badge.tsx';
import { Ago } from '../parts/clock.tsx';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table.tsx';
import { pathTo } from '../path-id.ts';

const pathOf = ({ session_id }: Session) => pathTo('sessions', session_id);

const columns: Column<Session>[] = [
  {
    name: 'Session',
    cell: (session) => (
      <Link to={pathOf(session)} className="row-link">
        <Clipped mono text={session.session_id} />
      </Link>
    ),
  },
  { name: 'Agents', cell: ({ agents }) => <Clipped text={agents.join(', ')} /> },
  { name: 'Runs', width: 72, align: 'end', cell: ({ run_count }) => formatCount(run_count) },
  {
    name: 'Duration',
    width: 100,
    align: 'end',
    wideOnly: true,
    cell: ({ total_duration }) => formatDuration(total_duration * 1000),
  },
  { name: 'Tokens', width: 108, align: 'end', cell: (one) => formatCount(one.total_tokens) },
  { name: 'Cost', width: 106, align: 'end', cell: (one) => formatMoney(one.total_cost) },
  { name: 'First run', width: 102, wideOnly: true, cell: (one) => <Ago at={one.first_run} /> },
  { name: 'Last activity', width: 110, cell: (one) => <Ago at={one.last_activity} /> },
];

interface SessionsTableProps {
  sessions: readonly Session[];
  stale: boolean;
}

export const SessionsTable = ({ sessions, stale }: SessionsTableProps) => (
  <DataTable
    label="Sessions"
    columns={columns}
    rows={sessions}
    rowKey={({ session_id }) => session_id}
    rowLink={pathOf}
    stale={stale}
  />
);
