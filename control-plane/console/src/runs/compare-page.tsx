import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Link } from 'wouter';
import { runDetail } from '../data/run-sources.ts';
import type { Run } from '../data/run-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { formatExact, NONE } from '../format.ts';
import { Clipped } from '../parts/badge.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { Empty, Loaded, Notice } from '../parts/notice.tsx';
import { Facts, Page } from '../parts/page.tsx';
import { useTrace } from '../trace/use-trace.ts';
import { useFilters } from '../use-filters.ts';
import { ComparedTotals } from './compared-totals.tsx';
import { ComparedTrace } from './compared-trace.tsx';
import { PickRun } from './pick-run.tsx';
import './compare-page.css';

const ID = /^\d{1,15}$/;

/** Page with two runs side by side. Their ids are in the URL. */
export function ComparePage() {
  const filters = useFilters();
  const [a = '', b = ''] = ['a', 'b'].map((name) => filters.get(name));
  return (
    <Page
      title={t`Compare runs`}
      parent={{ name: t`Runs`, to: '/runs' }}
      aside={<CopyButton text={location.href} label={t`Copy link to this page`} />}
    >
      {!ID.test(a) ? (
        <Empty title={t`No runs to compare`}>
          <p>
            <Trans>
              <Link to="/runs">Choose two runs of the list</Link>, or open one of them first.
            </Trans>
          </p>
        </Empty>
      ) : ID.test(b) ? (
        <Comparison key={`${a} ${b}`} a={a} b={b} />
      ) : (
        <PickRun id={a} onPick={(b) => filters.set({ b })} />
      )}
    </Page>
  );
}

function Comparison({ a, b }: { a: string; b: string }) {
  const [left, right] = [useQuery(runDetail(a)), useQuery(runDetail(b))];
  return (
    <Loaded reading={left}>
      {(left) => <Loaded reading={right}>{(right) => <Both left={left} right={right} />}</Loaded>}
    </Loaded>
  );
}

function Both({ left, right }: { left: Run; right: Run }) {
  const filters = useFilters();
  const traces = [useTraceOf(left), useTraceOf(right)] as const;
  const [one, other] = traces.map(({ data }) => data);
  const nodes = traces.map(({ data }) =>
    data && !data.isPartial ? data.entries.map(({ node }) => node) : undefined,
  );
  return (
    <>
      <div className="compared-runs">
        <RunFacts name={t`Run A`} run={left} />
        <RunFacts name={t`Run B`} run={right} />
      </div>
      <div className="button-row">
        <button
          type="button"
          className="button"
          onClick={() => filters.set({ a: filters.get('b'), b: filters.get('a'), record: '' })}
        >
          <Trans>Swap runs</Trans>
        </button>
      </div>
      <ComparedTotals
        left={{ run: left, nodes: nodes[0] }}
        right={{ run: right, nodes: nodes[1] }}
      />
      {(one?.isCut || other?.isCut) && (
        <Notice tone="warn">
          <Trans>
            A trace has more records than can be compared here: open the page of the run.
          </Trans>
        </Notice>
      )}
      <Loaded reading={traces[0]}>
        {(one) => (
          <Loaded reading={traces[1]}>
            {(other) => (
              <ComparedTrace
                left={one.tree.roots}
                right={other.tree.roots}
                firstKind={[left, right].some(hasTexts) ? 'run' : 'llm_call'}
                filters={filters}
              />
            )}
          </Loaded>
        )}
      </Loaded>
    </>
  );
}

const hasTexts = ({ inputs, result, error }: Run): boolean =>
  [inputs, result, error].some((value) => value !== null);

const useTraceOf = ({ id, status }: Run) => useTrace(String(id), status === 'running');

const RunFacts = ({ name, run }: { name: string; run: Run }) => (
  <section className="card" aria-label={name}>
    <h2>
      {name}:{' '}
      <Link to={`/runs/${run.id}`}>
        <Trans>Run {run.id}</Trans>
      </Link>
    </h2>
    <Facts
      facts={[
        [t`Agent`, <Clipped key="agent" text={run.agent_name} />],
        [t`Workflow`, <Clipped key="workflow" text={run.workflow_name} />],
        [t`Started at`, formatExact(Date.parse(run.started_at))],
        [t`End user`, <Clipped key="user" text={run.user_id ?? NONE} />],
      ]}
    />
  </section>
);
