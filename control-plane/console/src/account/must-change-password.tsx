import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useEffect } from 'react';
import { restoreSession } from '../data/restore-session.ts';
import type { User } from '../data/session.ts';
import { Brand } from '../shell/brand.tsx';
import { SignOutButton } from '../sign-in/sign-out-button.tsx';
import { Text } from '../parts/text.tsx';
import { ChangePassword } from './change-password.tsx';
import '../sign-in/sign-in.css';

/** Replaces every page until the password is changed: the service rejects all other requests. */
export function MustChangePassword({ user }: { user: User }) {
  useEffect(() => {
    document.title = t`Change your password · Gatehouse`;
  }, []);
  return (
    <main className="sign-in">
      <div className="card">
        <header className="card-header">
          <Brand />
          <SignOutButton />
        </header>
        <h1>
          <Trans>Change your password</Trans>
        </h1>
        <p>
          <Trans>
            Signed in as <Text>{user.email}</Text>. Choose a new password to continue.
          </Trans>
        </p>
        <ChangePassword email={user.email} onChanged={restoreSession} />
      </div>
    </main>
  );
}
