import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import type { SubmitEvent } from 'react';
import { api } from '../data/api.ts';
import { browserSessions } from '../data/identity-sources.ts';
import type { BrowserSession } from '../data/identity-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { Badge, Clipped } from '../parts/badge.tsx';
import { Loaded } from '../parts/notice.tsx';
import { useAttempt } from '../parts/use-attempt.ts';
import { roleNames } from '../users/role-names.ts';
import './browser-accounts.css';

interface AccountsProps {
  /** Closes the list; undefined if the list is the whole page. */
  onClose?: () => void;
}

/** List of the accounts signed in with this browser, and sign-in to another one. */
export function BrowserAccounts({ onClose }: AccountsProps) {
  const reading = useQuery(browserSessions());
  const [adding, setAdding] = useState(false);
  const { error, busy, attempt } = useAttempt();
  const change = (session_id: string) =>
    void attempt(async () => {
      await api.identity.switchBrowserSession({ body: { session_id } });
      startAgain();
    });
  return (
    <>
      <Loaded reading={reading}>
        {(sessions) => (
          <ul className="plain accounts">
            {sessions.map((session) => (
              <li key={session.id}>
                <Account session={session} busy={busy} onChoose={() => change(session.id)} />
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      <p className="form-error" role="alert">
        {error}
      </p>
      {adding ? (
        <AddAccount onClose={() => setAdding(false)} />
      ) : (
        <>
          <p className="muted">
            <Trans>
              Each tenant has its own account. Sign in to another one to change between them without
              signing out. Signing out ends all of them.
            </Trans>
          </p>
          <div className="dialog-actions">
            {onClose && (
              <button type="button" className="button" onClick={onClose}>
                <Trans>Close</Trans>
              </button>
            )}
            <button type="button" className="button primary" onClick={() => setAdding(true)}>
              <Trans>Sign in to another tenant</Trans>
            </button>
          </div>
        </>
      )}
    </>
  );
}

interface AccountProps {
  session: BrowserSession;
  busy: boolean;
  onChoose: () => void;
}

const Account = ({ session: { email, role, tenant, current }, busy, onChoose }: AccountProps) => (
  <button
    type="button"
    className="account-choice"
    aria-current={current ? 'true' : undefined}
    disabled={busy || current || tenant.suspended}
    onClick={onChoose}
  >
    <span>
      <Clipped text={tenant.name} />
      <Clipped text={`${email}, ${roleNames[role]}`} />
    </span>
    <span className="badges">
      {tenant.suspended && (
        <Badge tone="bad">
          <Trans>Suspended</Trans>
        </Badge>
      )}
      {current && (
        <Badge tone="accent">
          <Trans>Current</Trans>
        </Badge>
      )}
    </span>
  </button>
);

function AddAccount({ onClose }: { onClose: () => void }) {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const { error, busy, attempt } = useAttempt();
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    void attempt(async () => {
      await api.identity.addBrowserSession({ body: { email, password } });
      startAgain();
    });
  };
  return (
    <form onSubmit={submit}>
      <label>
        <Trans>Email</Trans>
        <input
          className="field"
          type="email"
          required
          maxLength={320}
          autoComplete="username"
          value={email}
          onChange={({ target }) => setEmail(target.value)}
        />
      </label>
      <label>
        <Trans>Password</Trans>
        <input
          className="field"
          type="password"
          required
          maxLength={1024}
          autoComplete="current-password"
          value={password}
          onChange={({ target }) => setPassword(target.value)}
        />
      </label>
      <p className="form-error" role="alert">
        {error}
      </p>
      <div className="dialog-actions">
        <button type="button" className="button" onClick={onClose}>
          <Trans>Back</Trans>
        </button>
        <button type="submit" className="button primary" disabled={busy}>
          <Trans>Sign in</Trans>
        </button>
      </div>
    </form>
  );
}

/** Reloads the console, so that no data of one tenant remains for the next. */
const startAgain = (): void => location.assign('/');
