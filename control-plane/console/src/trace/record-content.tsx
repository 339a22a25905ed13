import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
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

/** The details of an item. Its texts are not part of the trace, so they are loaded here. */
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
  if (sources.length === 0)
    return (
      <p className="muted">
        <Trans>No inputs or result were recorded.</Trans>
      </p>
    );
  return <Recorded label={t`run ${run.id}`} sources={sources} />;
}

const factsOf = (run: Run) =>
  [
    [t`Run`, <Link key="run" to={`/runs/${run.id}`}>{t`Run ${run.id}`}</Link>],
    [t`Workflow`, run.workflow_name],
    [t`LLM calls`, formatCount(run.llm_call_count)],
    [
      t`End user`,
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
  // The query has loaded, and the verdict was not found.
  if (reading.data === undefined && !reading.stale && reading.error === undefined)
    return (
      <p className="muted">
        <Trans>This verdict is no longer stored.</Trans>
      </p>
    );
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
