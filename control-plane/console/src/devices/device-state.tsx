import { Trans } from '@lingui/react/macro';
import type { Device } from '../data/device-sources.ts';
import { formatVersion, NONE } from '../format.ts';
import { State } from '../parts/badge.tsx';

export function DeviceState({ device }: { device: Pick<Device, 'status' | 'online'> }) {
  if (device.status === 'revoked')
    return (
      <State tone="bad">
        <Trans>Revoked</Trans>
      </State>
    );
  if (device.status === 'pending')
    return (
      <State tone="warn">
        <Trans>Pending</Trans>
      </State>
    );
  return device.online ? (
    <State tone="good">
      <Trans>Online</Trans>
    </State>
  ) : (
    <State tone="neutral">
      <Trans>Offline</Trans>
    </State>
  );
}

type Versions = Pick<Device, 'status' | 'config_version' | 'applied_version'>;

/** The applied configuration version. Revoked devices receive no configuration. */
export function AppliedVersion({ device }: { device: Versions }) {
  const { status, config_version: target, applied_version: applied } = device;
  if (status === 'revoked') return <span className="muted">{NONE}</span>;
  const text = formatVersion(target, applied);
  return <span className={applied >= target ? undefined : 'pending'}>{text}</span>;
}
