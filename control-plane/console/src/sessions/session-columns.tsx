import { t } from '@lingui/core/macro';
import { Link } from 'wouter';
import type { Session } from '../data/analytics-sources.ts';
import type { ListColumn } from '../lists/columns.ts';
import { totalColumns } from '../lists/total-columns.tsx';
import { Clipped } from '../parts/badge.tsx';
import { Ago } from '../parts/clock.tsx';
import { pathTo } from '../path-id.ts';

/** The columns of the list of sessions. */
export const sessionColumns: readonly ListColumn<Session>[] = [
  {
    id: 'session',
    label: t`Session`,
    cell: ({ session_id }) => (
      <Link to={pathTo('sessions', session_id)} className="row-link">
        <Clipped mono text={session_id} />
      </Link>
    ),
  },
  totalColumns.agents,
  totalColumns.runs,
  totalColumns.errors,
  totalColumns.duration,
  { ...totalColumns.tokens, width: 108 },
  totalColumns.cost,
  {
    id: 'first',
    label: t`First run`,
    width: 106,
    hidden: true,
    sort: 'first_run',
    descends: true,
    cell: (one) => <Ago at={one.first_run} />,
  },
  {
    id: 'last',
    label: t`Last activity`,
    width: 124,
    sort: 'last_activity',
    descends: true,
    cell: (one) => <Ago at={one.last_activity} />,
  },
];
