import { Link } from 'wouter';
import { runDetail } from '../data/run-sources.ts';
import type { Run } from '../data/run-sources.ts';
import { mayWrite } from '../data/session.ts';
import type { User } from '../data/session.ts';
import { useQuery } from '../data/use-query.ts';
import { formatCount, formatMoney, none } from '../format.ts';
import { Badge, Clipped } from '../parts/badge.tsx';
import { Ago, Lasting } from '../parts/clock.tsx';
import { Json } from '../parts/json.tsx';
import { Loaded, Notice } from '../parts/notice.tsx';
import { Numbers } from '../parts/numbers.tsx';
import { Facts, Page } from '../parts/page.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { Text } from '../parts/text.tsx';
import { pathTo } from '../path-id.ts';
import { useFilters } from '../use-filters.ts';
import { Governance } from './governance.tsx';
import { LlmCalls } from './llm-calls.tsx';
import { RunState } from './run-state.tsx';
import { Scores } from './scores.tsx';
import { Spans } from './spans.tsx';
import { Steps } from './steps.tsx';

export function RunPage({ id, user }: { id: string; user: User }) {
  const reading = useQuery(runDetail(id));
  const { data } = reading;
  return (
    <Page
      title={`Run ${id}`}
      parent={{ name: 'Runs', to: '/runs' }}
      aside={data && <RunState status={data.status} />}
    >
      <Loaded reading={reading}>{(run) => <RunContent run={run} user={user} />}</Loaded>
    </Page>
  );
}

const tabs = [
  { id: 'recorded', name: 'Activity' },
  { id: 'governance', name: 'Governance' },
] as const;

function RunContent({ run, user }: { run: Run; user: User }) {
  const filters = useFilters();
  const tab = filters.get('tab') === 'governance' ? 'governance' : 'recorded';
  return (
    <>
      {run.error !== null && (
        <Notice tone="bad">
          <Text>{run.error}</Text>
        </Notice>
      )}
      <Numbers numbers={numbersOf(run)} />
      <section className="card" aria-label="Run">
        <Facts facts={factsOf(run, user)} />
      </section>
      <Tabs
        label="Run details"
        tabs={tabs}
        current={tab}
        onChoose={(tab) => filters.set({ tab: tab === 'governance' ? tab : '' })}
      >
        {tab === 'recorded' ? <Recorded run={run} /> : <Governance run={run} user={user} />}
      </Tabs>
    </>
  );
}

const Recorded = ({ run }: { run: Run }) => (
  <>
    <LlmCalls run={run} />
    <Spans run={run} />
    <Steps run={run} />
    <Scores run={run} />
    <div className="cards">
      <JsonSection title="Inputs" value={run.inputs} />
      <JsonSection title="Result" value={run.result} />
      <JsonSection title="Metadata" value={run.metadata} />
    </div>
  </>
);

function numbersOf(run: Run) {
  return [
    ['Duration', <Lasting key="duration" from={run.started_at} to={run.completed_at} />],
    ['LLM calls', formatCount(run.llm_call_count)],
    ['Tokens', formatCount(run.tokens)],
    ['Cost', formatMoney(run.cost)],
    ['Started', <Ago key="started" at={run.started_at} />],
  ] as const;
}

function factsOf(run: Run, user: User) {
  const { captured } = run;
  const agent = `/runs?agent=${encodeURIComponent(run.agent_name)}`;
  return [
    [
      'Agent',
      <Link key="agent" to={agent}>
        <Text>{run.agent_name}</Text>
      </Link>,
    ],
    ['Workflow', run.workflow_name],
    ['User', run.user_id === null ? none : <IdLink key="user" page="users" id={run.user_id} />],
    ['User group', run.user_group ?? none],
    [
      'Session',
      run.session_id === null ? none : <IdLink key="session" page="sessions" id={run.session_id} />,
    ],
    ['Trace', <Clipped key="trace" mono text={run.trace_id ?? none} />],
    [
      'Parent run',
      run.parent_run_id === null ? none : <ParentRun key="parent" id={run.parent_run_id} />,
    ],
    ...(captured === null
      ? []
      : ([['Captured on', <CapturedOn key="captured" {...{ captured, user }} />]] as const)),
    ['Tags', run.tags.length === 0 ? none : <Tags key="tags" tags={run.tags} />],
  ] as const;
}

const IdLink = ({ page, id }: { page: string; id: string }) => (
  <Link to={pathTo(page, id)}>
    <Text>{id}</Text>
  </Link>
);

interface CapturedOnProps {
  captured: NonNullable<Run['captured']>;
  user: User;
}

/** The device and, for users who may read captures, the exchange as long as it is retained. */
const CapturedOn = ({ captured: { device_id, hostname, capture_id }, user }: CapturedOnProps) => (
  <>
    <Link to={`/devices/${device_id}`}>
      <Text>{hostname}</Text>
    </Link>
    {capture_id !== null && mayWrite(user) && (
      <>
        {' '}
        (<Link to={`/captures?capture=${capture_id}`}>exchange</Link>)
      </>
    )}
  </>
);

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
