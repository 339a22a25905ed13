import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { sessionDetail } from '../data/analytics-sources.ts';
import type { SessionDetail } from '../data/analytics-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { formatCount, formatDuration, formatMoney } from '../format.ts';
import { Loaded } from '../parts/notice.tsx';
import { KeyFigures } from '../parts/key-figures.tsx';
import { Page } from '../parts/page.tsx';
import { Text } from '../parts/text.tsx';
import { Turn } from './turn.tsx';
import './session-page.css';

/** Number of runs to load at first and on each request for more. */
const PAGE_SIZE = 20;
/** Maximum number of runs of a session in one response. */
const MAX_RUNS = 1000;

export function SessionPage({ id }: { id: string }) {
  const [limit, setLimit] = useState(PAGE_SIZE);
  const reading = useQuery(sessionDetail(id, limit));
  return (
    <Page title={id} parent={{ name: t`Sessions`, to: '/sessions' }}>
      <Loaded reading={reading}>
        {(session) => (
          <>
            <KeyFigures numbers={numbersOf(session)} />
            <p className="page-note muted">
              <Trans>
                Agents: <Text>{session.aggregates.agents.join(', ')}</Text>
              </Trans>
            </p>
            <Conversation
              session={session}
              loading={reading.stale}
              onEarlier={() => setLimit(Math.min(MAX_RUNS, limit + PAGE_SIZE))}
            />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function numbersOf({ aggregates }: SessionDetail) {
  const { run_count, total_duration, total_tokens, total_cost } = aggregates;
  return [
    [t`Runs`, formatCount(run_count)],
    [t`Duration of runs`, formatDuration(total_duration * 1000)],
    [t`Tokens`, formatCount(total_tokens)],
    [t`Cost`, formatMoney(total_cost)],
  ] as const;
}

interface ConversationProps {
  session: SessionDetail;
  loading: boolean;
  onEarlier: () => void;
}

/** The runs of a session in chronological order. */
function Conversation({ session, loading, onEarlier }: ConversationProps) {
  const { runs, aggregates } = session;
  const earlier = aggregates.run_count - runs.length;
  return (
    <section aria-label={t`Conversation`}>
      <h2 className="hidden">
        <Trans>Conversation</Trans>
      </h2>
      {earlier > 0 && (
        <div className="earlier">
          {runs.length < MAX_RUNS ? (
            <button type="button" className="button" disabled={loading} onClick={onEarlier}>
              <Trans>Show earlier runs ({formatCount(earlier)})</Trans>
            </button>
          ) : (
            <span className="muted">
              <Trans>{formatCount(earlier)} earlier runs are not shown</Trans>
            </span>
          )}
        </div>
      )}
      <ol className="turns">
        {runs.toReversed().map((run) => (
          <Turn key={run.id} run={run} />
        ))}
      </ol>
    </section>
  );
}
