import { Trans } from '@lingui/react/macro';
import { lazy, Suspense, useEffect, useState, useSyncExternalStore } from 'react';
import { usePathname } from 'wouter/use-browser-location';
import { restoreSession } from './data/restore-session.ts';
import { useSession } from './data/use-query.ts';
import { readDisplay, subscribeDisplay } from './display.ts';
import { MustChangePassword } from './account/must-change-password.tsx';
import { Boundary } from './parts/boundary.tsx';
import { Loading, Notice } from './parts/notice.tsx';
import { Pages } from './routes.tsx';
import { Shell } from './shell/shell.tsx';
import { SignIn } from './sign-in/sign-in.tsx';
import { SuspendedTenant } from './sign-in/suspended-tenant.tsx';
import './sign-in/sign-in.css';

const DecidePage = lazy(async () => ({
  default: (await import('./notifications/decide-page.tsx')).DecidePage,
}));

/** The console. Sign-in replaces the page but keeps its URL, so the user returns to it. */
export function App() {
  const session = useSession();
  const path = usePathname();
  // Renders times again when the time zone changes.
  useSyncExternalStore(subscribeDisplay, readDisplay);
  // This page needs no session: the link in the message contains the credential.
  if (path === '/decide')
    return (
      <Suspense fallback={<Loading />}>
        <DecidePage />
      </Suspense>
    );
  if (session.status === 'signed-out') return <SignIn />;
  if (session.status === 'unknown') return <Restore />;
  if (session.status === 'suspended') return <SuspendedTenant />;
  if (session.user.must_change_password) return <MustChangePassword user={session.user} />;
  return (
    <Shell user={session.user}>
      <Boundary key={path}>
        <Suspense fallback={<Loading />}>
          <Pages user={session.user} />
        </Suspense>
      </Boundary>
    </Shell>
  );
}

/** Shown until it is known whether there is a session. */
function Restore() {
  const [error, setError] = useState<string>();
  useEffect(() => {
    void restoreSession().then(setError);
  }, []);
  if (error === undefined) return null;
  return (
    <main className="sign-in">
      <Notice tone="bad">
        {error}{' '}
        <button type="button" className="link" onClick={() => void restoreSession().then(setError)}>
          <Trans>Try again</Trans>
        </button>
      </Notice>
    </main>
  );
}
