import { t } from '@lingui/core/macro';
import { Link } from 'wouter';
import type { TrackedUser } from '../data/analytics-sources.ts';
import type { ListColumn } from '../lists/columns.ts';
import { totalColumns } from '../lists/total-columns.tsx';
import { Clipped } from '../parts/badge.tsx';
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
  totalColumns.agents,
  totalColumns.runs,
  totalColumns.errors,
  { ...totalColumns.duration, hidden: true },
  totalColumns.tokens,
  totalColumns.cost,
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
