import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { api } from '../data/api.ts';
import type { DeviceDetail } from '../data/device-sources.ts';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { Text } from '../parts/text.tsx';

type Action = 'approve' | 'revoke' | 'restore';

const descriptions: Readonly<Record<Action, { name: string; outcome: string }>> = {
  approve: {
    name: t`Approve`,
    outcome: t`receives certificates with its next request. Only the key below is approved.`,
  },
  revoke: {
    name: t`Revoke`,
    outcome: t`is disconnected immediately. Its certificates are revoked, and it cannot enroll until it is restored.`,
  },
  restore: {
    name: t`Restore`,
    outcome: t`may enroll again. Certificates issued before stay revoked.`,
  },
};

/** The actions available in the device's current status. */
const actionsFor = ({ status, waiting }: DeviceDetail): Action[] =>
  status === 'revoked' ? ['restore'] : [...(waiting ? (['approve'] as const) : []), 'revoke'];

interface DeviceActionsProps {
  device: DeviceDetail;
  onDecided: () => Promise<void>;
}

export function DeviceActions({ device, onDecided }: DeviceActionsProps) {
  const [pending, setPending] = useState<Action>();
  return (
    <>
      {actionsFor(device).map((action) => (
        <button
          key={action}
          type="button"
          className={action === 'revoke' ? 'button danger' : 'button primary'}
          onClick={() => setPending(action)}
        >
          {descriptions[action].name}
        </button>
      ))}
      {pending && (
        <Decision
          {...{ device, onDecided }}
          action={pending}
          key={pending}
          onClose={() => setPending(undefined)}
        />
      )}
    </>
  );
}

interface DecisionProps extends DeviceActionsProps {
  action: Action;
  onClose: () => void;
}

function Decision({ device, action, onDecided, onClose }: DecisionProps) {
  // Approves the key that the dialog shows, even if the device requests with another one meanwhile.
  const [key] = useState(device.waiting?.key);
  const { name, outcome } = descriptions[action];
  const decide = async () => {
    const params = { id: device.id };
    if (action === 'approve') await api.enrollment.approveDevice({ params, body: { key } });
    else if (action === 'revoke') await api.enrollment.revokeDevice({ params, body: {} });
    else await api.enrollment.restoreDevice({ params, body: {} });
    await onDecided();
  };
  return (
    <ConfirmDialog title={t`${name} device`} action={name} onConfirm={decide} onClose={onClose}>
      <p>
        <strong>
          <Text>{device.hostname}</Text>
        </strong>{' '}
        {outcome}
      </p>
      {action === 'approve' && key && <p className="mono">{key}</p>}
    </ConfirmDialog>
  );
}
