import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { api } from '../data/api.ts';
import type { DeviceDetail } from '../data/device-sources.ts';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { Text } from '../parts/text.tsx';

type Action = 'approve' | 'revoke' | 'restore';

interface Description {
  name: string;
  title: string;
  outcome: (device: ReactNode) => ReactNode;
}

const descriptions: Readonly<Record<Action, Description>> = {
  approve: {
    name: t`Approve`,
    title: t`Approve device`,
    outcome: (device) => (
      <Trans>
        {device} receives certificates with its next request. Only the key below is approved.
      </Trans>
    ),
  },
  revoke: {
    name: t`Revoke`,
    title: t`Revoke device`,
    outcome: (device) => (
      <Trans>
        {device} is disconnected immediately. Its certificates are revoked, and it cannot enroll
        until it is restored.
      </Trans>
    ),
  },
  restore: {
    name: t`Restore`,
    title: t`Restore device`,
    outcome: (device) => (
      <Trans>{device} may enroll again. Certificates issued before stay revoked.</Trans>
    ),
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
  // Keeps the displayed key, even if the device requests a certificate for another one meanwhile.
  const [key] = useState(device.waiting?.key);
  const { name, title, outcome } = descriptions[action];
  const decide = async () => {
    const params = { id: device.id };
    if (action === 'approve') await api.enrollment.approveDevice({ params, body: { key } });
    else if (action === 'revoke') await api.enrollment.revokeDevice({ params, body: {} });
    else await api.enrollment.restoreDevice({ params, body: {} });
    await onDecided();
  };
  return (
    <ConfirmDialog title={title} action={name} onConfirm={decide} onClose={onClose}>
      <p>
        {outcome(
          <strong>
            <Text>{device.hostname}</Text>
          </strong>,
        )}
      </p>
      {action === 'approve' && key && <p className="mono">{key}</p>}
    </ConfirmDialog>
  );
}
