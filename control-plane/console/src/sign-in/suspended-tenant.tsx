import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useEffect, useState } from 'react';
import { browserSessions } from '../data/identity-sources.ts';
import { restoreSession } from '../data/restore-session.ts';
import { useQuery } from '../data/use-query.ts';
import { Text } from '../parts/text.tsx';
import { Brand } from '../shell/brand.tsx';
import { BrowserAccounts } from './browser-accounts.tsx';
import { SignOutButton } from './sign-out-button.tsx';
import './sign-in.css';

/**
 * Replaces every page while the tenant is suspended. Other accounts of the browser stay available.
 */
export function SuspendedTenant() {
  const { data: sessions = [] } = useQuery(browserSessions());
  const current = sessions.find((session) => session.current);
  const [error, setError] = useState<string>();
  useEffect(() => {
    document.title = t`Tenant suspended · Gatehouse`;
  }, []);
  return (
    <main className="sign-in">
      <div className="card suspended">
        <header className="card-header">
          <Brand />
          <SignOutButton />
        </header>
        <h1>
          <Trans>Tenant suspended</Trans>
        </h1>
        <p>
          {current ? (
            <>
              <Trans>
                The tenant{' '}
                <b>
                  <Text>{current.tenant.name}</Text>
                </b>{' '}
                is suspended.
              </Trans>
            </>
          ) : (
            t`This tenant is suspended.`
          )}{' '}
          <Trans>
            Nothing was deleted. Ask the organization that manages your tenant to resume it.
          </Trans>
        </p>
        <div className="button-row">
          <button
            type="button"
            className="button"
            onClick={() => void restoreSession().then(setError)}
          >
            <Trans>Try again</Trans>
          </button>
        </div>
        <p className="form-error" role="alert">
          {error}
        </p>
        <BrowserAccounts />
      </div>
    </main>
  );
}
