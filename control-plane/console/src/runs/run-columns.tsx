import { t } from '@lingui/core/macro';
import { Link } from 'wouter';
import type { RunSummary } from '../data/run-sources.ts';
import {
  formatCount,
  formatCountInShort,
  formatExact,
  formatMoneyInShort,
  NONE,
} from '../format.ts';
import type { ListColumn } from '../lists/columns.ts';
import { ActionBadge } from '../parts/action-badge.tsx';
import { Badge, Clipped } from '../parts/badge.tsx';
import { Ago, Elapsed } from '../parts/clock.tsx';
import { markInvisible } from '../mark-invisible.ts';
import { RunState } from './run-state.tsx';
import { ScoreSummaryText } from './score-summary.tsx';

const Maybe = ({ text }: { text: string | null }) => <Clipped text={text ?? NONE} />;

/** The columns of the list of runs, including one per score name. */
export const runColumnsWith = (scoreNames: readonly string[]): ListColumn<RunSummary>[] => [
  ...columns,
  ...scoreNames.map(scoreColumn),
];

const scoreColumn = (name: string): ListColumn<RunSummary> => ({
  id: `score:${name}`,
  label: labelOf(name),
  numeric: true,
  hidden: true,
  cell: ({ score_summaries }) => {
    const score = score_summaries.find((one) => one.name === name);
    return score ? <ScoreSummaryText score={score} /> : NONE;
  },
});

/** Maximum length of a column name: a header has room for a few lines. */
const MAX_LABEL = 40;

function labelOf(name: string): string {
  const label = t`Score: ${markInvisible(name)}`;
  return label.length <= MAX_LABEL ? label : `${label.slice(0, MAX_LABEL)}…`;
}

const columns: readonly ListColumn<RunSummary>[] = [
  {
    id: 'id',
    label: t`Run`,
    width: 84,
    cell: ({ id }) => (
      <Link to={`/runs/${id}`} className="row-link mono">
        {id}
      </Link>
    ),
  },
  { id: 'agent', label: t`Agent`, cell: ({ agent_name }) => <Clipped text={agent_name} /> },
  {
    id: 'workflow',
    label: t`Workflow`,
    cell: ({ workflow_name }) => <Clipped text={workflow_name} />,
  },
  { id: 'status', label: t`Status`, width: 98, cell: ({ status }) => <RunState status={status} /> },
  {
    id: 'started',
    label: t`Started`,
    width: 110,
    sort: 'started_at',
    descends: true,
    cell: ({ started_at }) => <Ago at={started_at} />,
  },
  {
    id: 'duration',
    label: t`Duration`,
    width: 106,
    numeric: true,
    sort: 'duration',
    descends: true,
    cell: (run) => <Elapsed from={run.started_at} to={run.completed_at} />,
  },
  {
    id: 'calls',
    label: t`Calls`,
    width: 84,
    numeric: true,
    sort: 'llm_calls',
    descends: true,
    cell: ({ llm_call_count }) => formatCount(llm_call_count),
  },
  {
    id: 'tokens',
    label: t`Tokens`,
    width: 108,
    numeric: true,
    sort: 'tokens',
    descends: true,
    cell: ({ tokens }) => formatCountInShort(tokens),
  },
  {
    id: 'cost',
    label: t`Cost`,
    width: 106,
    numeric: true,
    sort: 'cost',
    descends: true,
    cell: ({ cost }) => formatMoneyInShort(cost),
  },
  {
    id: 'errors',
    label: t`Errors`,
    width: 88,
    numeric: true,
    sort: 'errors',
    descends: true,
    cell: ({ error_count }) =>
      error_count > 0 ? <Badge tone="bad">{formatCount(error_count)}</Badge> : '0',
  },
  {
    id: 'verdict',
    label: t`Verdict`,
    width: 98,
    hidden: true,
    cell: ({ verdict }) => (verdict === null ? NONE : <ActionBadge action={verdict} />),
  },
  {
    id: 'error',
    label: t`Error message`,
    hidden: true,
    cell: ({ error }) => <Maybe text={error} />,
  },
  { id: 'user', label: t`End user`, hidden: true, cell: ({ user_id }) => <Maybe text={user_id} /> },
  {
    id: 'session',
    label: t`Session`,
    hidden: true,
    cell: ({ session_id }) => <Maybe text={session_id} />,
  },
  {
    id: 'tags',
    label: t`Tags`,
    hidden: true,
    cell: ({ tags }) => <Maybe text={tags.join(', ') || null} />,
  },
  { id: 'trace', label: t`Trace`, hidden: true, cell: ({ trace_id }) => <Maybe text={trace_id} /> },
  {
    id: 'started-exactly',
    label: t`Started at`,
    hidden: true,
    cell: ({ started_at }) => <Clipped text={formatExact(Date.parse(started_at))} />,
  },
];
