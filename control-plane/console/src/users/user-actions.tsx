import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { api } from '../data/api.ts';
import type { ManagedUser } from '../data/identity-sources.ts';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { ShownOnce } from '../parts/shown-once.tsx';
import { Text } from '../parts/text.tsx';
import { useAttempt } from '../parts/use-attempt.ts';

interface UserActionsProps {
  managed: ManagedUser;
  /** Whether it is the signed-in user's own account, which cannot be disabled or deleted. */
  self: boolean;
  onChanged: () => Promise<void>;
}

type Action = 'disable' | 'reset' | 'delete';

interface Confirmation {
  title: string;
  action: string;
  outcome: (user: ReactNode) => ReactNode;
}

const confirmations: Record<Action, Confirmation> = {
  disable: {
    title: t`Disable user`,
    action: t`Disable`,
    outcome: (user) => (
      <Trans>{user} is signed out everywhere immediately and can no longer sign in.</Trans>
    ),
  },
  reset: {
    title: t`Reset password`,
    action: t`Reset password`,
    outcome: (user) => (
      <Trans>
        {user} is signed out everywhere and gets a new password, which must be changed at the next
        sign-in.
      </Trans>
    ),
  },
  delete: {
    title: t`Delete user`,
    action: t`Delete user`,
    outcome: (user) => (
      <Trans>{user} and all of their sessions are deleted. This cannot be undone.</Trans>
    ),
  },
};

export function UserActions({ managed, self, onChanged }: UserActionsProps) {
  const [pending, setPending] = useState<Action>();
  const [password, setPassword] = useState<string>();
  const { error, busy, attempt } = useAttempt();
  const params = { id: managed.id };
  const enable = (disabled: boolean) => api.identity.updateUser({ params, body: { disabled } });
  const actions: Record<Action, () => Promise<unknown>> = {
    disable: () => enable(true),
    reset: async () => setPassword((await api.identity.resetPassword({ params })).initial_password),
    delete: () => api.identity.deleteUser({ params }),
  };
  if (self)
    return (
      <p className="muted">
        <Trans>This is your own account. Change your password on your account page.</Trans>
      </p>
    );
  return (
    <div className="button-row">
      {managed.disabled ? (
        <button
          type="button"
          className="button"
          disabled={busy}
          onClick={() => void attempt(() => enable(false).then(onChanged))}
        >
          <Trans>Enable</Trans>
        </button>
      ) : (
        <DangerButton name={t`Disable`} onClick={() => setPending('disable')} />
      )}
      <DangerButton name={t`Reset password`} onClick={() => setPending('reset')} />
      <DangerButton name={t`Delete`} onClick={() => setPending('delete')} />
      <span className="form-error" role="alert">
        {error}
      </span>
      {pending && (
        <ConfirmDialog
          title={confirmations[pending].title}
          action={confirmations[pending].action}
          onConfirm={async () => {
            await actions[pending]();
            await onChanged();
          }}
          onClose={() => setPending(undefined)}
        >
          <p>
            {confirmations[pending].outcome(
              <strong>
                <Text>{managed.email}</Text>
              </strong>,
            )}
          </p>
        </ConfirmDialog>
      )}
      {password !== undefined && !pending && (
        <Dialog title={t`New password`} onClose={() => setPassword(undefined)}>
          <ShownOnce
            label={t`Initial password`}
            value={password}
            onClose={() => setPassword(undefined)}
          />
        </Dialog>
      )}
    </div>
  );
}

const DangerButton = ({ name, onClick }: { name: string; onClick: () => void }) => (
  <button type="button" className="button danger" onClick={onClick}>
    {name}
  </button>
);
