import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Link } from 'wouter';
import type { SessionDetail } from '../data/analytics-sources.ts';
import { runDetail } from '../data/run-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { formatCount, formatMoney } from '../format.ts';
import { Ago, Elapsed } from '../parts/clock.tsx';
import { Loaded } from '../parts/notice.tsx';
import { Text } from '../parts/text.tsx';
import { useOnceVisible } from '../parts/use-once-visible.ts';
import { RunState } from '../runs/run-state.tsx';
import { TurnContent } from './turn-content.tsx';
import './turn.css';

type RunOfSession = SessionDetail['runs'][number];

/**
 * One run of a session, shown as a turn of the conversation. Its content is loaded when it scrolls
 * into view.
 */
export function Turn({ run }: { run: RunOfSession }) {
  const { watch, wasVisible } = useOnceVisible();
  return (
    <li ref={watch} className="turn card" aria-label={t`Run ${run.id}`}>
      <header>
        <Link to={`/runs/${run.id}`}>
          <Trans>Run {run.id}</Trans>
        </Link>
        <span>
          <Text>{run.agent_name}</Text>
          <span className="muted">
            {' '}
            / <Text>{run.workflow_name}</Text>
          </span>
        </span>
        <RunState status={run.status} />
        <span className="spacer" />
        <span className="muted">
          <Trans>
            <Elapsed from={run.started_at} to={run.completed_at} /> · {formatCount(run.tokens)}{' '}
            tokens · {formatMoney(run.cost)} · <Ago at={run.started_at} />
          </Trans>
        </span>
      </header>
      {wasVisible ? <LoadedTurn id={String(run.id)} /> : <p className="unread" />}
    </li>
  );
}

function LoadedTurn({ id }: { id: string }) {
  const reading = useQuery(runDetail(id));
  return (
    <Loaded reading={reading}>
      {(run) => (
        <>
          <TurnContent run={run} />
          {run.error !== null && (
            <div className="saying failed">
              <h3>
                <Trans>Error</Trans>
              </h3>
              <p className="preview" role="group" aria-label={t`Error`} tabIndex={0}>
                <Text>{run.error}</Text>
              </p>
            </div>
          )}
          {run.counts.llm_calls > 0 && (
            <p className="muted">
              {plural(run.counts.llm_calls, { one: '# LLM call', other: '# LLM calls' })}
            </p>
          )}
        </>
      )}
    </Loaded>
  );
}
