import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { api } from '../data/api.ts';
import type { GuardChange } from '../data/guard-sources.ts';
import { Choice } from '../parts/choice.tsx';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { Text } from '../parts/text.tsx';
import { describeState } from './describe-change.ts';
import { levelNames } from './levels.ts';

interface RevertDialogProps {
  change: GuardChange;
  onReverted: () => Promise<unknown>;
  onClose: () => void;
}

/** Dialog that restores a layer to its state before or after a change. */
export function RevertDialog({ change, onReverted, onClose }: RevertDialogProps) {
  const [to, setTo] = useState<'before' | 'after'>('before');
  const { id, version, layer, scope } = change;
  const states = [
    { id: 'before', name: t`Before version ${version}` },
    { id: 'after', name: t`As of version ${version}` },
  ] as const;
  const revert = async () => {
    await api.guard.revertGuardChange({ params: { id }, body: { to } });
    await onReverted();
  };
  const name = (
    <>
      {levelNames[layer]}
      {scope !== null && <Text>{` ${scope}`}</Text>}
    </>
  );
  return (
    <ConfirmDialog
      title={t`Revert the layer`}
      action={t`Revert`}
      onConfirm={revert}
      onClose={onClose}
    >
      <p>
        <Trans>
          The layer “{name}” is restored to the selected state, as a new version. Devices are
          updated immediately.
        </Trans>
      </p>
      <div className="toolbar">
        <Choice label={t`State`} options={states} value={to} onChange={setTo} />
      </div>
      <p>
        <Trans>
          Configuration: <Text>{describeState(change[to])}</Text>
        </Trans>
      </p>
    </ConfirmDialog>
  );
}
