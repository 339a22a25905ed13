import { t } from '@lingui/core/macro';
import { Link } from 'wouter';
import type { Session } from '../data/analytics-sources.ts';
import { formatCount, formatCountInShort, formatDuration, formatMoneyInShort } from '../format.ts';
import type { ListColumn } from '../lists/columns.ts';
import { Badge, Clipped } from '../parts/badge.tsx';
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
    cell: ({ total_duration }) => formatDuration(total_duration * 1000),
  },
  {
    id: 'tokens',
    label: t`Tokens`,
    width: 108,
    numeric: true,
    sort: 'total_tokens',
    descends: true,
    cell: (one) => formatCountInShort(one.total_tokens),
  },
  {
    id: 'cost',
    label: t`Cost`,
    width: 106,
    numeric: true,
    sort: 'total_cost',
    descends: true,
    cell: (one) => formatMoneyInShort(one.total_cost),
  },
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
