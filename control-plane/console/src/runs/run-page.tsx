import { Link } from 'wouter';
import { runDetail } from '../data/sources.ts';
import type { Run } from '../data/sources.ts';
import { useQuery } from '../data/use-query.ts';
import { formatCount, formatMoney, none } from '../format.ts';
import { Badge, Clipped } from '../parts/badge.tsx';
import { Ago, Lasting } from '../parts/clock.tsx';
import { Json } from '../parts/json.tsx';
import { Loaded, Notice } from '../parts/notice.tsx';
import { Facts, Page } from '../parts/page.tsx';
import { Text } from '../parts/text.tsx';
import { LlmCalls } from './llm-calls.tsx';
import { RunState } from './run-state.tsx';
import { Scores } from './scores.tsx';
import { Spans } from './spans.tsx';
import { Steps } from './steps.tsx';

export function RunPage({ id }: { id: string }) {
  const reading = useQuery(runDetail(id));
  const { data } = reading;
  return (
    <Page
      title={`Run ${id}`}
      parent={{ name: 'Runs', to: '/runs' }}
      aside={data && <RunState status={data.status} />}
    >
      <Loaded reading={reading}>{(run) => <RunContent run={run} />}</Loaded>
    </Page>
  );
}

function RunContent({ run }: { run: Run }) {
  return (
    <>
      {run.error !== null && (
        <Notice tone="bad">
          <Text>{run.error}</Text>
        </Notice>
      )}
      <Numbers run={run} />
      <section className="card" aria-label="Run">
        <Facts facts={factsOf(run)} />
      </section>
      <LlmCalls calls={run.llm_calls} />
      <Spans spans={run.spans} />
      <Steps steps={run.steps} />
      <Scores scores={run.scores} />
      <div className="cards">
        <JsonSection title="Inputs" value={run.inputs} />
        <JsonSection title="Result" value={run.result} />
        <JsonSection title="Metadata" value={run.metadata} />
      </div>
    </>
  );
}

function Numbers({ run }: { run: Run }) {
  const numbers = [
    ['Duration', <Lasting key="duration" from={run.started_at} to={run.completed_at} />],
    ['LLM calls', formatCount(run.llm_call_count)],
    ['Tokens', formatCount(run.tokens)],
    ['Cost', formatMoney(run.cost)],
    ['Started', <Ago key="started" at={run.started_at} />],
  ] as const;
  return (
    <dl className="numbers">
      {numbers.map(([name, value]) => (
        <div key={name} className="card">
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function factsOf(run: Run) {
  const agent = `/runs?agent=${encodeURIComponent(run.agent_name)}`;
  return [
    [
      'Agent',
      <Link key="agent" to={agent}>
        <Text>{run.agent_name}</Text>
      </Link>,
    ],
    ['Workflow', run.workflow_name],
    ['User', run.user_id ?? none],
    ['User group', run.user_group ?? none],
    ['Session', run.session_id ?? none],
    ['Trace', <Clipped key="trace" mono text={run.trace_id ?? none} />],
    [
      'Part of',
      run.parent_run_id === null ? none : <ParentRun key="parent" id={run.parent_run_id} />,
    ],
    ['Tags', run.tags.length === 0 ? none : <Tags key="tags" tags={run.tags} />],
  ] as const;
}

const ParentRun = ({ id }: { id: number }) => <Link to={`/runs/${id}`}>Run {id}</Link>;

const Tags = ({ tags }: { tags: readonly string[] }) => (
  <span className="badges">
    {tags.map((tag) => (
      <Badge key={tag}>
        <Text>{tag}</Text>
      </Badge>
    ))}
  </span>
);

function JsonSection({ title, value }: { title: string; value: Record<string, unknown> | null }) {
  if (value === null) return null;
  return (
    <section className="card" aria-label={title}>
      <h2>{title}</h2>
      <Json value={value} label={`${title} as JSON`} />
    </section>
  );
}
