import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { zoneName } from '../display.ts';
import { FormField } from '../parts/form-field.tsx';
import { EXPIRY, EXPIRY_DATE, lifetimes, ON_DATE } from './key-expiry.ts';

/** When a new key ends. */
export function ExpiryField() {
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
