import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useEffect, useRef } from 'react';
import { Link } from 'wouter';
import { runDetail } from '../data/run-sources.ts';
import type { Run } from '../data/run-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { Recorded } from '../messages/recorded.tsx';
import { Clipped } from '../parts/badge.tsx';
import { ErrorText, Loaded, Notice } from '../parts/notice.tsx';
import { sourcesOf } from '../runs/run-panel.tsx';
import { RunState } from '../runs/run-state.tsx';
import { RunTrace } from '../trace/trace-view.tsx';

/** The messages and the trace of a run, as on its page. */
export function ReviewedRun({ id }: { id: string }) {
  const reading = useQuery(runDetail(id));
  const heading = useRef<HTMLHeadingElement>(null);
  // Screen readers announce the run, its keyboard shortcuts work at once, and its beginning is
  // visible.
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    heading.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <section className="review-run" aria-labelledby="review-run">
      <header className="review-head">
        <h2 ref={heading} id="review-run" tabIndex={-1}>
          <Trans>Run {id}</Trans>
        </h2>
        {reading.data && <RunState status={reading.data.status} />}
        {reading.data && (
          <span className="muted">
            <Clipped text={reading.data.agent_name} />
          </span>
        )}
        <Link className="button" to={`/runs/${id}`}>
          <Trans>Open page</Trans>
        </Link>
      </header>
      <Loaded reading={reading}>{(run) => <RunContent run={run} />}</Loaded>
    </section>
  );
}

function RunContent({ run }: { run: Run }) {
  const sources = sourcesOf(run);
  return (
    <div className="stack">
      {run.error !== null && (
        <Notice tone="bad">
          <ErrorText>{run.error}</ErrorText>
        </Notice>
      )}
      {sources.length > 0 && <Recorded label={t`Run ${run.id}`} sources={sources} />}
      <RunTrace run={run} />
    </div>
  );
}
