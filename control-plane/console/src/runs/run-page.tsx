import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Link } from 'wouter';
import { AddToQueueButton } from '../annotation-queues/add-to-queue.tsx';
import { runDetail } from '../data/run-sources.ts';
import type { Run } from '../data/run-sources.ts';
import { mayWrite } from '../data/session.ts';
import type { User } from '../data/session.ts';
import { useQuery } from '../data/use-query.ts';
import { formatCount, formatExact, formatMoney, NONE } from '../format.ts';
import { ActionBadge } from '../parts/action-badge.tsx';
import { Badge, Clipped } from '../parts/badge.tsx';
import { Ago, Elapsed } from '../parts/clock.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { ErrorText, Loaded, Notice } from '../parts/notice.tsx';
import { KeyFigures } from '../parts/key-figures.tsx';
import { Facts, Page } from '../parts/page.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { Text } from '../parts/text.tsx';
import { pathTo } from '../path-id.ts';
import { useFilters } from '../use-filters.ts';
import { compareAddress } from './selected-runs.tsx';
import { Governance } from './governance.tsx';
import { LlmCalls } from './llm-calls.tsx';
import { RunData } from './run-data.tsx';
import { RunState } from './run-state.tsx';
import { Scores } from './scores.tsx';
import { Spans } from './spans.tsx';
import { Steps } from './steps.tsx';
import { RunTrace } from '../trace/trace-view.tsx';

export function RunPage({ id, user }: { id: string; user: User }) {
  const reading = useQuery(runDetail(id));
  const { data } = reading;
  return (
    <Page
      title={t`Run ${id}`}
      parent={{ name: t`Runs`, to: '/runs' }}
      aside={
        data && (
          <span className="button-row">
            <RunState status={data.status} />
            <CopyButton text={location.href} label={t`Copy link to this page`} />
          </span>
        )
      }
    >
      <Loaded reading={reading}>{(run) => <RunContent run={run} user={user} />}</Loaded>
    </Page>
  );
}

const tabs = [
  { id: 'trace', name: t`Trace` },
  { id: 'records', name: t`Records` },
  { id: 'governance', name: t`Governance` },
] as const;

function RunContent({ run, user }: { run: Run; user: User }) {
  const filters = useFilters();
  const tab = tabs.find(({ id }) => id === filters.get('tab'))?.id ?? 'trace';
  return (
    <>
      {run.error !== null && (
        <Notice tone="bad">
          <ErrorText>{run.error}</ErrorText>
        </Notice>
      )}
      <KeyFigures numbers={numbersOf(run)} />
      <section className="card" aria-label={t`Run`}>
        <Facts facts={factsOf(run, user)} />
        <div className="button-row">
          <Link className="button" to={compareAddress(String(run.id))}>
            <Trans>Compare…</Trans>
          </Link>
          {mayWrite(user) && <AddToQueueButton runIds={[run.id]} />}
        </div>
      </section>
      <Tabs
        label={t`Run details`}
        tabs={tabs.map((one) => (one.id === 'governance' ? { ...one, ...findingsOf(run) } : one))}
        current={tab}
        onChoose={(tab) => filters.set({ tab: tab === 'trace' ? '' : tab })}
      >
        {tab === 'trace' && <Trace run={run} user={user} />}
        {tab === 'records' && <Records run={run} />}
        {tab === 'governance' && <Governance run={run} user={user} />}
      </Tabs>
    </>
  );
}

/** The number of incidents and evaluations, shown on their tab. */
function findingsOf({ counts }: Run): { count?: string } {
  const count = counts.incidents + counts.evaluations;
  return count === 0 ? {} : { count: formatCount(count) };
}

const Trace = ({ run, user }: { run: Run; user: User }) => (
  <>
    <RunTrace run={run} />
    <Scores run={run} mayScore={mayWrite(user)} />
    <RunData run={run} />
  </>
);

const Records = ({ run }: { run: Run }) => (
  <>
    <LlmCalls run={run} />
    <Spans run={run} />
    <Steps run={run} />
  </>
);

function numbersOf(run: Run) {
  return [
    [t`Duration`, <Elapsed key="duration" from={run.started_at} to={run.completed_at} />],
    [t`LLM calls`, formatCount(run.llm_call_count)],
    [t`Tokens`, formatCount(run.tokens)],
    [t`Cost`, formatMoney(run.cost)],
    [t`Started`, <Ago key="started" at={run.started_at} />],
  ] as const;
}

function factsOf(run: Run, user: User) {
  const { captured, device } = run;
  const agent = `/runs?agent=${encodeURIComponent(run.agent_name)}`;
  return [
    [
      t`Agent`,
      <Link key="agent" to={agent}>
        <Text>{run.agent_name}</Text>
      </Link>,
    ],
    [t`Workflow`, run.workflow_name],
    [t`Started at`, formatExact(Date.parse(run.started_at))],
    [t`Ended at`, run.completed_at === null ? NONE : formatExact(Date.parse(run.completed_at))],
    [
      t`End user`,
      run.user_id === null ? NONE : <IdLink key="user" page="users" id={run.user_id} />,
    ],
    [t`User group`, run.user_group ?? NONE],
    [
      t`Session`,
      run.session_id === null ? NONE : <IdLink key="session" page="sessions" id={run.session_id} />,
    ],
    [t`Trace`, <Clipped key="trace" mono text={run.trace_id ?? NONE} />],
    [
      t`Parent run`,
      run.parent_run_id === null ? NONE : <ParentRun key="parent" id={run.parent_run_id} />,
    ],
    ...(captured === null
      ? []
      : ([[t`Captured on`, <CapturedOn key="captured" {...{ captured, user }} />]] as const)),
    ...(captured === null && device !== null
      ? ([[t`Device`, <DeviceLink key="device" {...device} />]] as const)
      : []),
    [
      t`Policy verdict`,
      run.verdict === null ? NONE : <ActionBadge key="verdict" action={run.verdict} />,
    ],
    [t`Tags`, run.tags.length === 0 ? NONE : <Tags key="tags" tags={run.tags} />],
  ] as const;
}

const IdLink = ({ page, id }: { page: string; id: string }) => (
  <Link to={pathTo(page, id)}>
    <Text>{id}</Text>
  </Link>
);

const DeviceLink = ({ id, hostname }: NonNullable<Run['device']>) => (
  <Link to={`/devices/${id}`}>
    <Text>{hostname}</Text>
  </Link>
);

interface CapturedOnProps {
  captured: NonNullable<Run['captured']>;
  user: User;
}

/**
 * Links to the device and, for users who may read captures, to the exchange while it is retained.
 */
const CapturedOn = ({ captured: { device_id, hostname, capture_id }, user }: CapturedOnProps) => (
  <>
    <DeviceLink id={device_id} hostname={hostname} />
    {capture_id !== null && mayWrite(user) && (
      <>
        {' '}
        (
        <Link to={`/captures?capture=${capture_id}`}>
          <Trans>exchange</Trans>
        </Link>
        )
      </>
    )}
  </>
);

const ParentRun = ({ id }: { id: number }) => (
  <Link to={`/runs/${id}`}>
    <Trans>Run {id}</Trans>
  </Link>
);

const Tags = ({ tags }: { tags: readonly string[] }) => (
  <span className="badges">
    {tags.map((tag) => (
      <Badge key={tag}>
        <Text>{tag}</Text>
      </Badge>
    ))}
  </span>
);
