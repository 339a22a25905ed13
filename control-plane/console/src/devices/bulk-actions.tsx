import { plural, t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import { useState } from 'react';
import type { Device } from '../data/device-sources.ts';
import { SelectionBar } from '../lists/page-selection.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Text } from '../parts/text.tsx';
import { devicesFor } from './bulk-targets.ts';
import type { BulkAction } from './bulk-targets.ts';
import { decideDevices } from './decide-devices.ts';
import type { Refused } from './decide-devices.ts';
import './bulk-actions.css';

interface Words {
  name: string;
  title: (count: number) => string;
  outcome: string;
}

const words: Readonly<Record<BulkAction, Words>> = {
  approve: {
    name: t`Approve`,
    title: (count) => plural(count, { one: 'Approve # device', other: 'Approve # devices' }),
    outcome: t`They receive certificates with their next request. Only these keys are approved.`,
  },
  revoke: {
    name: t`Revoke`,
    title: (count) => plural(count, { one: 'Revoke # device', other: 'Revoke # devices' }),
    outcome: t`They are disconnected immediately. Their certificates are revoked, and they cannot enroll until they are restored.`,
  },
  restore: {
    name: t`Restore`,
    title: (count) => plural(count, { one: 'Restore # device', other: 'Restore # devices' }),
    outcome: t`They may enroll again. Certificates issued before stay revoked.`,
  },
};

interface BulkActionsProps {
  /** The selected devices. */
  devices: readonly Device[];
  onClear: () => void;
  onDecided: () => Promise<void>;
}

/** Buttons that act on all selected devices. */
export function BulkActions({ devices, onClear, onDecided }: BulkActionsProps) {
  const [pending, setPending] = useState<{ action: BulkAction; targets: readonly Device[] }>();
  if (devices.length === 0 && !pending) return null;
  return (
    <SelectionBar label={t`Chosen devices`}>
      <span>
        <Trans>
          <Plural value={devices.length} one="# device" other="# devices" /> chosen
        </Trans>
      </span>
      {(['approve', 'revoke', 'restore'] as const).map((action) => {
        const targets = devicesFor(action, devices);
        return (
          <button
            key={action}
            type="button"
            className={action === 'revoke' ? 'button danger' : 'button'}
            disabled={targets.length === 0}
            onClick={() => setPending({ action, targets })}
          >
            {targets.length > 0 ? `${words[action].name} ${targets.length}` : words[action].name}
          </button>
        );
      })}
      <button type="button" className="link" onClick={onClear}>
        <Trans>Clear</Trans>
      </button>
      {pending && (
        <DecideDialog
          {...pending}
          onDecided={async () => {
            await onDecided();
            onClear();
          }}
          onClose={() => setPending(undefined)}
        />
      )}
    </SelectionBar>
  );
}

interface DecideDialogProps {
  action: BulkAction;
  targets: readonly Device[];
  onDecided: () => Promise<void>;
  onClose: () => void;
}

function DecideDialog({ action, targets, onDecided, onClose }: DecideDialogProps) {
  const [done, setDone] = useState<number>();
  const [refused, setRefused] = useState<readonly Refused[]>([]);
  const { name, title, outcome } = words[action];
  const decide = async () => {
    const failed = await decideDevices(action, targets, setDone);
    setRefused(failed);
    await onDecided();
    if (failed.length === 0) onClose();
  };
  return (
    <Dialog title={title(targets.length)} onClose={onClose}>
      <p>{outcome}</p>
      <ul className="plain bulk-list">
        {targets.map((device) => (
          <li key={device.id}>
            <Text>{device.hostname}</Text>
            {action === 'approve' && <span className="mono muted"> {device.waiting_key}</span>}
          </li>
        ))}
      </ul>
      <p role="status">{done !== undefined && t`${done} of ${targets.length} done`}</p>
      {refused.length > 0 && (
        <ul className="plain form-error" role="alert">
          {refused.map(({ device, error }) => (
            <li key={device.id}>
              <Text>{`${device.hostname}: ${error}`}</Text>
            </li>
          ))}
        </ul>
      )}
      <div className="dialog-actions">
        <button type="button" className="button" onClick={onClose}>
          {refused.length > 0 ? t`Close` : t`Cancel`}
        </button>
        <button
          type="button"
          className={action === 'revoke' ? 'button danger filled' : 'button primary'}
          disabled={done !== undefined}
          onClick={() => {
            setDone(0);
            void decide();
          }}
        >
          {name}
        </button>
      </div>
    </Dialog>
  );
}
