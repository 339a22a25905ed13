import { useEffect, useState } from 'react';
import { api } from '../data/api.ts';
import { describeError } from '../data/describe-error.ts';
import type { DecisionRequest } from '../data/notification-sources.ts';
import { Ago, Remaining } from '../parts/clock.tsx';
import { Loading, Notice } from '../parts/notice.tsx';
import { Facts } from '../parts/page.tsx';
import { Text } from '../parts/text.tsx';
import { useAttempt } from '../parts/use-attempt.ts';
import { Brand } from '../shell/brand.tsx';
import { DecisionButtons } from '../approvals/decision-buttons.tsx';
import './decide-page.css';

/** The page of a decision link. It needs no sign-in, and decides nothing by itself. */
export function DecidePage() {
  const [token] = useState(() => location.hash.slice(1));
  const [request, setRequest] = useState<DecisionRequest>();
  const [error, setError] = useState<string>();
  useEffect(() => {
    document.title = 'Approval · Gatehouse';
    api.notifications
      .readDecisionLink({ body: { token } })
      .then(setRequest, (error: unknown) => setError(describeError(error)));
  }, [token]);
  return (
    <main className="decide">
      <div className="card">
        <Brand />
        {error !== undefined && (
          <>
            <h1>This link cannot be used</h1>
            <Notice tone="bad">{error}</Notice>
            <p>
              <a href="/approvals">Open approvals in the console</a>
            </p>
          </>
        )}
        {error === undefined && !request && <Loading />}
        {request && <Request {...{ request, token, onDecided: setRequest }} />}
      </div>
    </main>
  );
}

interface RequestProps {
  request: DecisionRequest;
  token: string;
  onDecided: (request: DecisionRequest) => void;
}

function Request({ request, token, onDecided }: RequestProps) {
  const isOpen = request.status === 'pending';
  return (
    <>
      <h1>{isOpen ? 'Approval requested' : `Request ${request.status}`}</h1>
      <p className="whole">
        <Text>{request.reason}</Text>
      </p>
      <Facts facts={factsOf(request)} />
      {isOpen && <Decision {...{ request, token, onDecided }} />}
    </>
  );
}

const factsOf = (request: DecisionRequest) =>
  [
    ['Action', request.action_type],
    ['Agent', request.agent_name],
    ['Workflow', request.workflow_name],
    ...(request.agent_id ? [['Agent instance', request.agent_id] as const] : []),
    ...(request.user_id ? [['User', request.user_id] as const] : []),
    ['Policy', request.policy_name],
    ['Requested', <Ago key="requested" at={request.created_at} />],
    request.status === 'pending'
      ? (['Expires in', <Remaining key="expires" until={request.expires_at} />] as const)
      : (['Decided by', request.decided_by ?? '–'] as const),
  ] as const;

function Decision({ request, token, onDecided }: RequestProps) {
  const [note, setNote] = useState('');
  const { error, busy, attempt } = useAttempt();
  const decide = (decision: 'approved' | 'denied') =>
    void attempt(async () => {
      onDecided(await api.notifications.decideByLink({ body: { token, decision, note } }));
    });
  return (
    <form onSubmit={(event) => event.preventDefault()}>
      <label>
        Note
        <textarea
          className="field"
          rows={2}
          maxLength={2000}
          value={note}
          onChange={({ target }) => setNote(target.value)}
        />
      </label>
      <p className="hint">
        Recorded as decided by{' '}
        <strong>
          <Text>{request.deciding_as}</Text>
        </strong>
        . This link decides once.
      </p>
      <p className="form-error" role="alert">
        {error}
      </p>
      <DecisionButtons
        busy={busy}
        onApprove={() => decide('approved')}
        onDeny={() => decide('denied')}
      />
    </form>
  );
}
