import { Link } from 'wouter';
import { evaluationOfRun, incidentDetail } from '../data/incident-sources.ts';
import { runDetail } from '../data/run-sources.ts';
import type { Run } from '../data/run-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { formatCount, NONE } from '../format.ts';
import { EvaluationDetail } from '../incidents/evaluations-table.tsx';
import { IncidentDetail } from '../incidents/incident-detail.tsx';
import { CallContent } from '../llm-calls/call-content.tsx';
import { Recorded } from '../messages/recorded.tsx';
import { ErrorText, Loaded, Notice } from '../parts/notice.tsx';
import { Facts } from '../parts/page.tsx';
import { Text } from '../parts/text.tsx';
import { pathTo } from '../path-id.ts';
import { sourcesOf } from '../runs/run-data.tsx';
import { LoadedSpan } from '../runs/span-content.tsx';
import { LoadedStep } from '../runs/step-output.tsx';
import type { TraceItem } from '../runs/trace-tree.ts';

/** What was recorded with an item: its texts are not part of the trace, so they are loaded here. */
export function RecordContent({ item }: { item: TraceItem }) {
  const { kind, id } = item;
  const run = String(item.run_id);
  switch (kind) {
    case 'run':
      return <RunContent id={run} />;
    case 'llm_call':
      return <CallContent id={Number(id)} ofOneRun />;
    case 'step':
      return <LoadedStep run={run} step={id} />;
    case 'verdict':
      return <VerdictContent run={run} id={id} />;
    case 'incident':
      return <IncidentContent id={id} />;
    case 'tool':
    case 'span':
    case 'link':
      return <LoadedSpan run={run} span={id} />;
  }
}

function RunContent({ id }: { id: string }) {
  const reading = useQuery(runDetail(id));
  return (
    <Loaded reading={reading}>
      {(run) => (
        <div className="detail-body">
          {run.error !== null && (
            <Notice tone="bad">
              <ErrorText>{run.error}</ErrorText>
            </Notice>
          )}
          <Facts facts={factsOf(run)} />
          <Inputs run={run} />
        </div>
      )}
    </Loaded>
  );
}

function Inputs({ run }: { run: Run }) {
  const sources = sourcesOf(run);
  if (sources.length === 0) return <p className="muted">No inputs or result were recorded.</p>;
  return <Recorded label={`run ${run.id}`} sources={sources} />;
}

const factsOf = (run: Run) =>
  [
    ['Run', <Link key="run" to={`/runs/${run.id}`}>{`Run ${run.id}`}</Link>],
    ['Workflow', run.workflow_name],
    ['LLM calls', formatCount(run.llm_call_count)],
    [
      'End user',
      run.user_id === null ? (
        NONE
      ) : (
        <Link key="user" to={pathTo('users', run.user_id)}>
          <Text>{run.user_id}</Text>
        </Link>
      ),
    ],
  ] as const;

function VerdictContent({ run, id }: { run: string; id: string }) {
  const reading = useQuery(evaluationOfRun(run, id));
  // Undefined is also what a query without a response has.
  if (reading.data === undefined && !reading.stale && reading.error === undefined)
    return <p className="muted">This verdict is no longer stored.</p>;
  return (
    <Loaded reading={reading}>
      {(evaluation) => evaluation && <EvaluationDetail evaluation={evaluation} />}
    </Loaded>
  );
}

function IncidentContent({ id }: { id: string }) {
  const reading = useQuery(incidentDetail(id));
  return (
    <Loaded reading={reading}>
      {(incident) => <IncidentDetail incident={incident} onChanged={undefined} />}
    </Loaded>
  );
}
