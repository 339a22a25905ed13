import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import type { Policy } from '../data/policy-sources.ts';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { TextField } from '../parts/text-field.tsx';
import { Text } from '../parts/text.tsx';

interface TurnOffProps {
  policy: Policy;
  onConfirm: (note: string) => Promise<void>;
  onClose: () => void;
}

/** Dialog that confirms turning off a policy. The note is stored with the version. */
export function TurnOff({ policy, onConfirm, onClose }: TurnOffProps) {
  const [note, setNote] = useState('');
  return (
    <ConfirmDialog
      title={t`Turn off the policy`}
      action={t`Turn off`}
      onConfirm={() => onConfirm(note)}
      onClose={onClose}
    >
      <p>
        <Trans>
          <Text>{policy.name}</Text> no longer blocks or warns, starting with the next check.
        </Trans>
      </p>
      <TextField label={t`Note (optional)`} maxLength={2000} value={note} onChange={setNote} />
    </ConfirmDialog>
  );
}
