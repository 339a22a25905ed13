import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import type { SubmitEvent } from 'react';
import { api } from '../data/api.ts';
import { FormField } from '../parts/form-field.tsx';
import { useAttempt } from '../parts/use-attempt.ts';
import './change-password.css';

interface ChangePasswordProps {
  email: string;
  onChanged: () => Promise<unknown>;
}

const fields = [
  ['current', t`Current password`, 'current-password', undefined],
  [
    'next',
    t`New password`,
    'new-password',
    t`At least 12 characters; common passwords are rejected`,
  ],
  ['again', t`Confirm new password`, 'new-password', undefined],
] as const;

const emptyForm = { current: '', next: '', again: '' };

/** Form for a new password. Changing it revokes all other sessions of the user. */
export function ChangePassword({ email, onChanged }: ChangePasswordProps) {
  const [typed, setTyped] = useState(emptyForm);
  const [done, setDone] = useState(false);
  const { error, busy, attempt } = useAttempt();
  const differs = typed.again !== '' && typed.again !== typed.next;
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (differs) return;
    const body = { current_password: typed.current, new_password: typed.next };
    if (!(await attempt(() => api.identity.changePassword({ body })))) return;
    setTyped(emptyForm);
    setDone(true);
    await onChanged();
  };
  return (
    <form className="password-form" onSubmit={(event) => void submit(event)}>
      {/* Lets password managers store the password with this account. */}
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      {fields.map(([name, label, autoComplete, hint]) => (
        <FormField
          key={name}
          label={label}
          hint={hint}
          error={name === 'again' && differs ? t`The passwords do not match.` : undefined}
        >
          {(control) => (
            <input
              className="field"
              type="password"
              required
              maxLength={1024}
              autoComplete={autoComplete}
              value={typed[name]}
              onChange={({ target }) => {
                setDone(false);
                setTyped({ ...typed, [name]: target.value });
              }}
              {...control}
            />
          )}
        </FormField>
      ))}
      <p className="form-error" role="alert">
        {error && withFieldLabels(error)}
      </p>
      <div className="button-row">
        <button type="submit" className="button primary" disabled={busy || differs}>
          <Trans>Change password</Trans>
        </button>
        <span role="status">
          {done && t`Password changed. All your other sessions have been revoked.`}
        </span>
      </div>
    </form>
  );
}

/** Replaces the service's field names with the labels of this form. */
const withFieldLabels = (error: string): string =>
  error.replace(/^New_password/, t`New password`).replace(/^Current_password/, t`Current password`);
