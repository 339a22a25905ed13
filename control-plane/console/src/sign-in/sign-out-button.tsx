import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { api } from '../data/api.ts';
import { endSession } from '../data/session.ts';
import { SignOutIcon } from '../icons.tsx';

export function SignOutButton() {
  // If sign-out is rejected, the session no longer exists.
  const signOut = () => api.identity.logout().then(endSession, endSession);
  return (
    <button
      type="button"
      className="icon-button"
      title={t`Sign out`}
      onClick={() => void signOut()}
    >
      <SignOutIcon />
      <span className="hidden">
        <Trans>Sign out</Trans>
      </span>
    </button>
  );
}
