import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
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
import { DecisionButtons } from '../approvals/decide.tsx';
import './decide-page.css';

/** Page of a decision link. It needs no sign-in and makes no decision without a click. */
export function DecidePage() {
  const [token] = useState(() => location.hash.slice(1));
  const [request, setRequest] = useState<DecisionRequest>();
  const [error, setError] = useState<string>();
  useEffect(() => {
    document.title = t`Approval · Gatehouse`;
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
            <h1>
              <Trans>This link cannot be used</Trans>
            </h1>
            <Notice tone="bad">{error}</Notice>
            <p>
              <a href="/approvals">
                <Trans>Open approvals in the console</Trans>
              </a>
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

const titles: Record<DecisionRequest['status'], string> = {
  pending: t`Approval requested`,
  approved: t`Request approved`,
  denied: t`Request denied`,
  expired: t`Request expired`,
};

function Request({ request, token, onDecided }: RequestProps) {
  const isOpen = request.status === 'pending';
  return (
    <>
      <h1>{titles[request.status]}</h1>
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
    [t`Action`, request.action_type],
    [t`Agent`, request.agent_name],
    [t`Workflow`, request.workflow_name],
    ...(request.agent_id ? [[t`Agent instance`, request.agent_id] as const] : []),
    ...(request.user_id ? [[t`User`, request.user_id] as const] : []),
    [t`Policy`, request.policy_name],
    [t`Requested`, <Ago key="requested" at={request.created_at} />],
    request.status === 'pending'
      ? ([t`Expires in`, <Remaining key="expires" until={request.expires_at} />] as const)
      : ([t`Decided by`, request.decided_by ?? '–'] as const),
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
        <Trans>Note</Trans>
        <textarea
          className="field"
          rows={2}
          maxLength={2000}
          value={note}
          onChange={({ target }) => setNote(target.value)}
        />
      </label>
      <p className="hint">
        <Trans>
          Recorded as decided by{' '}
          <strong>
            <Text>{request.deciding_as}</Text>
          </strong>
          . This link decides once.
        </Trans>
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
