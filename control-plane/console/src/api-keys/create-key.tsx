import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import type { SubmitEvent } from 'react';
import { permissions } from '#contract/route.ts';
import type { Permission } from '#contract/route.ts';
import { api } from '../data/api.ts';
import { describeError } from '../data/describe-error.ts';
import { Dialog } from '../parts/dialog.tsx';
import { DialogActions } from '../parts/dialog-actions.tsx';
import { ShownOnce } from '../parts/shown-once.tsx';
import { expiryOf, EXPIRY, EXPIRY_DATE, lifetimes, ON_DATE } from './key-expiry.ts';
import { zoneName } from '../display.ts';
import { FormField } from '../parts/form-field.tsx';
import './create-key.css';

interface CreateKeyProps {
  onCreated: () => void;
  onClose: () => void;
}

const allows: Record<Permission, string> = {
  record: t`Record runs, calls, steps, spans and scores`,
  enroll: t`Enroll devices`,
  'policies:write': t`Create and change policies`,
  admin: t`Administer the tenant; together with enroll, download profiles`,
};

export function CreateKey({ onCreated, onClose }: CreateKeyProps) {
  const [key, setKey] = useState<string>();
  const created = (key: string) => {
    setKey(key);
    onCreated();
  };
  return (
    <Dialog title={key === undefined ? t`Create API key` : t`API key created`} onClose={onClose}>
      {key === undefined ? (
        <KeyForm onCreated={created} onClose={onClose} />
      ) : (
        <ShownOnce label={t`New API key`} value={key} onClose={onClose} />
      )}
    </Dialog>
  );
}

function KeyForm({
  onCreated,
  onClose,
}: {
  onCreated: (key: string) => void;
  onClose: () => void;
}) {
  const [error, setError] = useState<string>();
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const chosen = permissions.filter((name) => form.has(name));
    if (chosen.length === 0) return setError(t`Choose at least one permission.`);
    const name = form.get('name');
    try {
      const expires_at = expiryOf(form, Date.now());
      const body = {
        name: typeof name === 'string' ? name : '',
        permissions: chosen,
        ...(expires_at !== undefined && { expires_at }),
      };
      onCreated((await api.identity.createApiKey({ body })).key);
    } catch (caught) {
      setError(describeError(caught));
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <label>
        <Trans>Name</Trans>
        <input className="field" name="name" required maxLength={200} autoComplete="off" />
      </label>
      <fieldset className="checks">
        <legend>
          <Trans>Permissions</Trans>
        </legend>
        {permissions.map((name) => (
          <label key={name}>
            <input type="checkbox" name={name} />
            <span className="mono">{name}</span>
            <span className="muted">{allows[name]}</span>
          </label>
        ))}
      </fieldset>
      <ExpiryField />
      <DialogActions error={error} action={t`Create`} onClose={onClose} />
    </form>
  );
}

/** Field for the expiry of a new key. */
function ExpiryField() {
  const [choice, setChoice] = useState<string>('90');
  return (
    <>
      <FormField
        label={t`Expires`}
        hint={choice === '' ? t`A key without an expiry works until it is revoked.` : undefined}
      >
        {(control) => (
          <select
            className="field"
            name={EXPIRY}
            value={choice}
            onChange={({ target }) => setChoice(target.value)}
            {...control}
          >
            {lifetimes.map(([value, name]) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </select>
        )}
      </FormField>
      {choice === ON_DATE && (
        <FormField label={t`Date and time (${zoneName()})`}>
          {(control) => (
            <input
              className="field"
              type="datetime-local"
              name={EXPIRY_DATE}
              required
              {...control}
            />
          )}
        </FormField>
      )}
    </>
  );
}
