import { useState } from 'react';
import { api } from '../data/api.ts';
import type { ManagedUser } from '../data/access-sources.ts';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { ShownOnce } from '../parts/shown-once.tsx';
import { Text } from '../parts/text.tsx';
import { useAttempt } from '../parts/use-attempt.ts';

interface UserActionsProps {
  managed: ManagedUser;
  /** Nobody deletes or disables themselves. */
  self: boolean;
  onChanged: () => Promise<void>;
}

type Question = 'disable' | 'reset' | 'delete';

const questions: Record<Question, { title: string; action: string; outcome: string }> = {
  disable: {
    title: 'Disable user',
    action: 'Disable',
    outcome: 'can no longer sign in, and is signed out everywhere at once.',
  },
  reset: {
    title: 'Reset password',
    action: 'Reset password',
    outcome: 'is signed out everywhere and gets a new password, which must be changed.',
  },
  delete: {
    title: 'Delete user',
    action: 'Delete user',
    outcome: 'is deleted, with all sessions. This cannot be undone.',
  },
};

export function UserActions({ managed, self, onChanged }: UserActionsProps) {
  const [asking, setAsking] = useState<Question>();
  const [password, setPassword] = useState<string>();
  const { error, busy, attempt } = useAttempt();
  const params = { id: managed.id };
  const enable = (disabled: boolean) => api.identity.updateUser({ params, body: { disabled } });
  const actions: Record<Question, () => Promise<unknown>> = {
    disable: () => enable(true),
    reset: async () => setPassword((await api.identity.resetPassword({ params })).initial_password),
    delete: () => api.identity.deleteUser({ params }),
  };
  if (self) return <p className="muted">This is you: your password is changed on your own page.</p>;
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
        <Ask name="Disable" onClick={() => setAsking('disable')} />
      )}
      <Ask name="Reset password" onClick={() => setAsking('reset')} />
      <Ask name="Delete" onClick={() => setAsking('delete')} />
      <span className="form-error" role="alert">
        {error}
      </span>
      {asking && (
        <ConfirmDialog
          {...questions[asking]}
          onConfirm={async () => {
            await actions[asking]();
            await onChanged();
          }}
          onClose={() => setAsking(undefined)}
        >
          <p>
            <strong>
              <Text>{managed.email}</Text>
            </strong>{' '}
            {questions[asking].outcome}
          </p>
        </ConfirmDialog>
      )}
      {password !== undefined && !asking && (
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

const Ask = ({ name, onClick }: { name: string; onClick: () => void }) => (
  <button type="button" className="button danger" onClick={onClick}>
    {name}
  </button>
);
