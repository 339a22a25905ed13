import { t } from '@lingui/core/macro';
import type { Session } from '../data/analytics-sources.ts';
import { formatCount, formatCountInShort, formatDuration, formatMoneyInShort } from '../format.ts';
import { Badge, Clipped } from '../parts/badge.tsx';
import type { ListColumn } from './columns.ts';

type Totals = Pick<
  Session,
  'agents' | 'run_count' | 'error_count' | 'total_duration' | 'total_tokens' | 'total_cost'
>;

const total = { numeric: true, descends: true } as const;

/** The columns of totals, for the lists of sessions and end users. */
export const totalColumns = {
  agents: {
    id: 'agents',
    label: t`Agents`,
    cell: ({ agents }) => <Clipped text={agents.join(', ')} />,
  },
  runs: {
    ...total,
    id: 'runs',
    label: t`Runs`,
    width: 84,
    sort: 'run_count',
    cell: ({ run_count }) => formatCount(run_count),
  },
  errors: {
    ...total,
    id: 'errors',
    label: t`Errors`,
    width: 88,
    sort: 'error_count',
    cell: ({ error_count }) =>
      error_count > 0 ? <Badge tone="bad">{formatCount(error_count)}</Badge> : '0',
  },
  duration: {
    ...total,
    id: 'duration',
    label: t`Duration`,
    width: 112,
    sort: 'total_duration',
    cell: ({ total_duration }) => formatDuration(total_duration * 1000),
  },
  tokens: {
    ...total,
    id: 'tokens',
    label: t`Tokens`,
    width: 112,
    sort: 'total_tokens',
    cell: ({ total_tokens }) => formatCountInShort(total_tokens),
  },
  cost: {
    ...total,
    id: 'cost',
    label: t`Cost`,
    width: 106,
    sort: 'total_cost',
    cell: ({ total_cost }) => formatMoneyInShort(total_cost),
  },
} satisfies Record<string, ListColumn<Totals>>;
