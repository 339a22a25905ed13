import { Link } from 'wouter';
import type { SessionDetail } from '../data/analytics-sources.ts';
import { runDetail } from '../data/run-sources.ts';
import type { Run } from '../data/run-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { formatCount, formatMany, formatMoney } from '../format.ts';
import { Ago, Lasting } from '../parts/clock.tsx';
import { Json } from '../parts/json.tsx';
import { Loaded } from '../parts/notice.tsx';
import { Text } from '../parts/text.tsx';
import { useOnceVisible } from '../parts/use-once-visible.ts';
import { RunState } from '../runs/run-state.tsx';
import { turnOf } from './turn-messages.ts';
import type { TurnMessage } from './turn-messages.ts';

type RunOfSession = SessionDetail['runs'][number];

/** A run of a session, as a turn of the conversation. Its content is loaded when it scrolls into view. */
export function Turn({ run }: { run: RunOfSession }) {
  const { watch, wasVisible } = useOnceVisible();
  return (
    <li ref={watch} className="turn card" aria-label={`Run ${run.id}`}>
      <header>
        <Link to={`/runs/${run.id}`}>Run {run.id}</Link>
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
          <Lasting from={run.started_at} to={run.completed_at} /> · {formatCount(run.tokens)} tokens
          · {formatMoney(run.cost)} · <Ago at={run.started_at} />
        </span>
      </header>
      {wasVisible ? <TurnContent id={String(run.id)} /> : <p className="unread" />}
    </li>
  );
}

function TurnContent({ id }: { id: string }) {
  const reading = useQuery(runDetail(id));
  return <Loaded reading={reading}>{(run) => <Exchange run={run} />}</Loaded>;
}

function Exchange({ run }: { run: Run }) {
  const { input, output } = turnOf(run);
  if (!input && !output && run.error === null)
    return <p className="muted">Neither inputs nor a result were recorded.</p>;
  return (
    <>
      {input && <Message message={input} />}
      {output && <Message message={output} />}
      {run.error !== null && (
        <div className="saying failed">
          <h3>Error</h3>
          <p className="preview">
            <Text>{run.error}</Text>
          </p>
        </div>
      )}
      {run.counts.llm_calls > 0 && (
        <p className="muted">{formatMany(run.counts.llm_calls, 'LLM call')}</p>
      )}
    </>
  );
}

function Message({ message }: { message: TurnMessage }) {
  return (
    <div className="saying">
      <h3>{message.title}</h3>
      {'text' in message ? (
        <p className="preview" role="region" aria-label={message.title} tabIndex={0}>
          <Text>{message.text}</Text>
        </p>
      ) : (
        <Json value={message.data} label={`${message.title} as JSON`} />
      )}
    </div>
  );
}
