import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import type { SubmitEvent } from 'react';
import { api } from '../data/api.ts';
import type { ApiKey } from '../data/api-key-sources.ts';
import { DialogActions } from '../parts/dialog-actions.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { FormField } from '../parts/form-field.tsx';
import { ShownOnce } from '../parts/shown-once.tsx';
import { Text } from '../parts/text.tsx';
import { useAttempt } from '../parts/use-attempt.ts';

interface RotateKeyProps {
  apiKey: ApiKey;
  onRotated: () => void;
  onClose: () => void;
}

const DAY = 24 * 3600;
const overlaps = [
  [0, t`revoke immediately`],
  [3600, t`keep for 1 hour`],
  [DAY, t`keep for 1 day`],
  [7 * DAY, t`keep for 7 days`],
  [30 * DAY, t`keep for 30 days`],
] as const;

/** Replaces a key with a new one of the same permissions; the old key can stay valid for a while. */
export function RotateKey({ apiKey, onRotated, onClose }: RotateKeyProps) {
  const [overlap, setOverlap] = useState<number>(DAY);
  const [key, setKey] = useState<string>();
  const { error, attempt } = useAttempt();
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    void attempt(async () => {
      const body = { overlap_seconds: overlap };
      setKey((await api.identity.rotateApiKey({ params: { id: apiKey.id }, body })).key);
      onRotated();
    });
  };
  if (key !== undefined)
    return (
      <Dialog title={t`API key rotated`} onClose={onClose}>
        <ShownOnce label={t`New API key`} value={key} onClose={onClose} />
      </Dialog>
    );
  return (
    <Dialog title={t`Rotate API key`} onClose={onClose}>
      <form onSubmit={submit}>
        <p>
          <Trans>
            Creates a new key that replaces{' '}
            <strong>
              <Text>{apiKey.name}</Text>
            </strong>
            , with the same permissions.
          </Trans>
        </p>
        <FormField label={t`Old key`}>
          {(control) => (
            <select
              className="field"
              value={overlap}
              onChange={({ target }) => setOverlap(Number(target.value))}
              {...control}
            >
              {overlaps.map(([seconds, name]) => (
                <option key={seconds} value={seconds}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </FormField>
        <DialogActions error={error} action={t`Rotate`} onClose={onClose} />
      </form>
    </Dialog>
  );
}
