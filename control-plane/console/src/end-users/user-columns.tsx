import { t } from '@lingui/core/macro';
import { Link } from 'wouter';
import type { TrackedUser } from '../data/analytics-sources.ts';
import { formatCount, formatCountInShort, formatDuration, formatMoneyInShort } from '../format.ts';
import type { ListColumn } from '../lists/columns.ts';
import { Badge, Clipped } from '../parts/badge.tsx';
import { Ago } from '../parts/clock.tsx';
import { pathTo } from '../path-id.ts';

/** The columns of the list of end users. */
export const userColumns: readonly ListColumn<TrackedUser>[] = [
  {
    id: 'user',
    label: t`User`,
    cell: ({ user_id }) => (
      <Link to={pathTo('users', user_id)} className="row-link">
        <Clipped text={user_id} />
      </Link>
    ),
  },
  { id: 'agents', label: t`Agents`, cell: ({ agents }) => <Clipped text={agents.join(', ')} /> },
  {
    id: 'runs',
    label: t`Runs`,
    width: 84,
    numeric: true,
    sort: 'run_count',
    descends: true,
    cell: ({ run_count }) => formatCount(run_count),
  },
  {
    id: 'errors',
    label: t`Errors`,
    width: 88,
    numeric: true,
    sort: 'error_count',
    descends: true,
    cell: ({ error_count }) =>
      error_count > 0 ? <Badge tone="bad">{formatCount(error_count)}</Badge> : '0',
  },
  {
    id: 'duration',
    label: t`Duration`,
    width: 112,
    numeric: true,
    sort: 'total_duration',
    descends: true,
    hidden: true,
    cell: ({ total_duration }) => formatDuration(total_duration * 1000),
  },
  {
    id: 'tokens',
    label: t`Tokens`,
    width: 112,
    numeric: true,
    sort: 'total_tokens',
    descends: true,
    cell: (user) => formatCountInShort(user.total_tokens),
  },
  {
    id: 'cost',
    label: t`Cost`,
    width: 106,
    numeric: true,
    sort: 'total_cost',
    descends: true,
    cell: (user) => formatMoneyInShort(user.total_cost),
  },
  {
    id: 'first',
    label: t`First seen`,
    width: 110,
    sort: 'first_seen',
    descends: true,
    cell: (user) => <Ago at={user.first_seen} />,
  },
  {
    id: 'last',
    label: t`Last seen`,
    width: 110,
    sort: 'last_seen',
    descends: true,
    cell: (user) => <Ago at={user.last_seen} />,
  },
];
