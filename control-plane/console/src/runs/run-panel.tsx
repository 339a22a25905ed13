import { t } from '@lingui/core/macro';
import { Link } from 'wouter';
import { runDetail } from '../data/run-sources.ts';
import type { Run } from '../data/run-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { formatCount, formatExact, formatMoney, NONE } from '../format.ts';
import { Recorded } from '../messages/recorded.tsx';
import type { Source } from '../messages/source.ts';
import { ActionBadge } from '../parts/action-badge.tsx';
import { Badge } from '../parts/badge.tsx';
import { Elapsed } from '../parts/clock.tsx';
import { ErrorText, Loaded, Notice } from '../parts/notice.tsx';
import { Facts } from '../parts/page.tsx';
import { Text } from '../parts/text.tsx';
import { pathTo } from '../path-id.ts';
import { markInvisible } from '../mark-invisible.ts';
import { RunState } from './run-state.tsx';
import { ScoreSummaryText } from './score-summary.tsx';

/** Side panel of a run. */
export function RunPanel({ id }: { id: string }) {
  const reading = useQuery(runDetail(id));
  // While another run loads, `data` is still that of the previous one.
  const shown =
    reading.data && String(reading.data.id) === id ? reading : { ...reading, data: undefined };
  return <Loaded reading={shown}>{(run) => <RunContent run={run} />}</Loaded>;
}

const RunContent = ({ run }: { run: Run }) => (
  <div className="stack">
    {run.error !== null && (
      <Notice tone="bad">
        <ErrorText>{run.error}</ErrorText>
      </Notice>
    )}
    <Facts facts={factsOf(run)} />
    <Recorded label={t`Run ${run.id}`} sources={sourcesOf(run)} />
  </div>
);

function factsOf(run: Run) {
  const { session_id, user_id } = run;
  return [
    [t`Status`, <RunState key="status" status={run.status} />],
    [t`Agent`, run.agent_name],
    [t`Workflow`, run.workflow_name],
    [t`Started`, formatExact(Date.parse(run.started_at))],
    [t`Duration`, <Elapsed key="duration" from={run.started_at} to={run.completed_at} />],
    [t`LLM calls`, formatCount(run.counts.llm_calls)],
    [t`Spans`, formatCount(run.counts.spans)],
    [t`Tokens`, formatCount(run.tokens)],
    [t`Cost`, formatMoney(run.cost)],
    [t`Incidents`, formatCount(run.counts.incidents)],
    [
      t`Policy verdict`,
      run.verdict === null ? NONE : <ActionBadge key="verdict" action={run.verdict} />,
    ],
    ...run.score_summaries.map(
      (score) =>
        [
          t`Score: ${markInvisible(score.name)}`,
          <ScoreSummaryText key="score" score={score} />,
        ] as const,
    ),
    [
      t`Session`,
      session_id === null ? (
        NONE
      ) : (
        <Link key="session" to={pathTo('sessions', session_id)}>
          <Text>{session_id}</Text>
        </Link>
      ),
    ],
    [
      t`End user`,
      user_id === null ? (
        NONE
      ) : (
        <Link key="user" to={pathTo('users', user_id)}>
          <Text>{user_id}</Text>
        </Link>
      ),
    ],
    [
      t`Tags`,
      run.tags.length === 0 ? (
        NONE
      ) : (
        <span key="tags" className="badges">
          {run.tags.map((tag) => (
            <Badge key={tag}>
              <Text>{tag}</Text>
            </Badge>
          ))}
        </span>
      ),
    ],
  ] as const;
}

/**
 * The values that describe a run: its inputs and result, otherwise its first prompt and last
 * response.
 */
export function sourcesOf({ inputs, result, metadata, llm_calls }: Run): Source[] {
  const [first, last] = [llm_calls[0], llm_calls.at(-1)];
  const sources: Source[] = [
    inputs === null
      ? { title: t`First prompt`, value: first?.prompt_preview ?? '', role: 'user', isCut: true }
      : { title: t`Inputs`, value: inputs, role: 'user' },
    result === null
      ? {
          title: t`Last response`,
          value: last?.response_preview ?? '',
          role: 'assistant',
          isCut: true,
        }
      : { title: t`Result`, value: result, role: 'assistant' },
    { title: t`Metadata`, value: metadata, role: null },
  ];
  return sources.filter(({ value }) => value !== null && value !== '');
}
