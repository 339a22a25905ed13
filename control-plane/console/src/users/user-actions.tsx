import { useState } from 'react';
import { api } from '../data/api.ts';
import type { ManagedUser } from '../data/identity-sources.ts';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { ShownOnce } from '../parts/shown-once.tsx';
import { Text } from '../parts/text.tsx';
import { useAttempt } from '../parts/use-attempt.ts';

interface UserActionsProps {
  managed: ManagedUser;
  /** Users cannot disable or delete their own account. */
  self: boolean;
  onChanged: () => Promise<void>;
}

type Action = 'disable' | 'reset' | 'delete';

const confirmations: Record<Action, { title: string; action: string; outcome: string }> = {
  disable: {
    title: 'Disable user',
    action: 'Disable',
    outcome: 'is signed out everywhere immediately and can no longer sign in.',
  },
  reset: {
    title: 'Reset password',
    action: 'Reset password',
    outcome:
      'is signed out everywhere and gets a new password, which must be changed at the next sign-in.',
  },
  delete: {
    title: 'Delete user',
    action: 'Delete user',
    outcome: 'and all of their sessions are deleted. This cannot be undone.',
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
      <p className="muted">This is your own account. Change your password on your account page.</p>
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
          Enable
        </button>
      ) : (
        <DangerButton name="Disable" onClick={() => setPending('disable')} />
      )}
      <DangerButton name="Reset password" onClick={() => setPending('reset')} />
      <DangerButton name="Delete" onClick={() => setPending('delete')} />
      <span className="form-error" role="alert">
        {error}
      </span>
      {pending && (
        <ConfirmDialog
          {...confirmations[pending]}
          onConfirm={async () => {
            await actions[pending]();
            await onChanged();
          }}
          onClose={() => setPending(undefined)}
        >
          <p>
            <strong>
              <Text>{managed.email}</Text>
            </strong>{' '}
            {confirmations[pending].outcome}
          </p>
        </ConfirmDialog>
      )}
      {password !== undefined && !pending && (
        <Dialog title="New password" onClose={() => setPassword(undefined)}>
          <ShownOnce
            label="Initial password"
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
