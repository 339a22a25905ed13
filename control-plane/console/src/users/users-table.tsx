import { Link } from 'wouter';
import type { TrackedUser } from '../data/analytics-sources.ts';
import { formatCount, formatMoney } from '../format.ts';
import { Clipped } from '../parts/badge.tsx';
import { Ago } from '../parts/clock.tsx';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table.tsx';
import { pathTo } from '../path-id.ts';

const pathOf = ({ user_id }: TrackedUser) => pathTo('users', user_id);

const columns: Column<TrackedUser>[] = [
  {
    name: 'User',
    cell: (user) => (
      <Link to={pathOf(user)} className="row-link">
        <Clipped text={user.user_id} />
      </Link>
    ),
  },
  { name: 'Agents', cell: ({ agents }) => <Clipped text={agents.join(', ')} /> },
  { name: 'Runs', width: 80, align: 'end', cell: ({ run_count }) => formatCount(run_count) },
  { name: 'Tokens', width: 112, align: 'end', cell: (user) => formatCount(user.total_tokens) },
  { name: 'Cost', width: 106, align: 'end', cell: (user) => formatMoney(user.total_cost) },
  { name: 'First seen', width: 106, wideOnly: true, cell: (user) => <Ago at={user.first_seen} /> },
  { name: 'Last seen', width: 106, cell: (user) => <Ago at={user.last_seen} /> },
];

interface UsersTableProps {
  users: readonly TrackedUser[];
  stale: boolean;
}

export const UsersTable = ({ users, stale }: UsersTableProps) => (
  <DataTable
    label="Users"
    columns={columns}
    rows={users}
    rowKey={({ user_id }) => user_id}
    rowLink={pathOf}
    stale={stale}
  />
);
