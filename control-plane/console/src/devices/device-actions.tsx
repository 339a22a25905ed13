import { useState } from 'react';
import { api } from '../data/api.ts';
import type { DeviceDetail } from '../data/sources.ts';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { Text } from '../parts/text.tsx';

type Action = 'approve' | 'revoke' | 'restore';

const words: Readonly<Record<Action, { name: string; does: string }>> = {
  approve: {
    name: 'Approve',
    does: 'is given certificates when it asks next. The key below is the one that it may use.',
  },
  revoke: {
    name: 'Revoke',
    does: 'is cut off at once. Its certificates end, and it cannot enroll until it is restored.',
  },
  restore: {
    name: 'Restore',
    does: 'may enroll again. What it was issued before stays revoked.',
  },
};

/** What can be decided about a device as it stands. */
const actionsFor = ({ status, waiting }: DeviceDetail): Action[] =>
  status === 'revoked' ? ['restore'] : [...(waiting ? (['approve'] as const) : []), 'revoke'];

interface DeviceActionsProps {
  device: DeviceDetail;
  onDecided: () => Promise<void>;
}

export function DeviceActions({ device, onDecided }: DeviceActionsProps) {
  const [asking, setAsking] = useState<Action>();
  return (
    <>
      {actionsFor(device).map((action) => (
        <button
          key={action}
          type="button"
          className={action === 'revoke' ? 'button danger' : 'button primary'}
          onClick={() => setAsking(action)}
        >
          {words[action].name}
        </button>
      ))}
      {asking && (
        <Decision
          {...{ device, onDecided }}
          action={asking}
          key={asking}
          onClose={() => setAsking(undefined)}
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
  // Whoever asks with another key while this is read is not who is approved.
  const [key] = useState(device.waiting?.key);
  const { name, does } = words[action];
  const decide = async () => {
    const params = { id: device.id };
    if (action === 'approve') await api.enrollment.approveDevice({ params, body: { key } });
    else if (action === 'revoke') await api.enrollment.revokeDevice({ params, body: {} });
    else await api.enrollment.restoreDevice({ params, body: {} });
    await onDecided();
  };
  return (
    <ConfirmDialog title={`${name} device`} action={name} onConfirm={decide} onClose={onClose}>
      <p>
        <strong>
          <Text>{device.hostname}</Text>
        </strong>{' '}
        {does}
      </p>
      {action === 'approve' && key && <p className="mono">{key}</p>}
    </ConfirmDialog>
  );
}
