import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import type { SubmitEvent } from 'react';
import type { Role } from '#contract/route.ts';
import { api } from '../data/api.ts';
import type { User } from '../data/session.ts';
import { DialogActions } from '../parts/dialog-actions.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { ShownOnce } from '../parts/shown-once.tsx';
import { useAttempt } from '../parts/use-attempt.ts';
import { RoleField } from './role-field.tsx';

interface CreateUserProps {
  user: User;
  onCreated: () => void;
  onClose: () => void;
}

/**
 * Dialog that creates a user. The service generates the initial password, which the user must
 * change at the first sign-in.
 */
export function CreateUser({ user, onCreated, onClose }: CreateUserProps) {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('viewer');
  const [initial, setInitial] = useState<string>();
  const { error, attempt } = useAttempt();
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    void attempt(async () => {
      const { initial_password } = await api.identity.createUser({ body: { email, role } });
      setInitial(initial_password ?? '');
      onCreated();
    });
  };
  if (initial !== undefined)
    return (
      <Dialog title={t`${email} created`} onClose={onClose}>
        <ShownOnce label={t`Initial password`} value={initial} onClose={onClose} />
      </Dialog>
    );
  return (
    <Dialog title={t`Create user`} onClose={onClose}>
      <form onSubmit={submit}>
        <label>
          <Trans>Email</Trans>
          <input
            className="field"
            type="email"
            required
            maxLength={320}
            autoComplete="off"
            value={email}
            onChange={({ target }) => setEmail(target.value)}
          />
        </label>
        <RoleField role={role} grantedBy={user.role} onChange={setRole} />
        <p className="muted">
          <Trans>An initial password is generated. The user must change it at first sign-in.</Trans>
        </p>
        <DialogActions error={error} action={t`Create`} onClose={onClose} />
      </form>
    </Dialog>
  );
}
