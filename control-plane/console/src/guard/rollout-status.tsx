import { t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import type { GuardLevel } from '#contract/guard.ts';
import type { LoadedList } from '../data/load-pages.ts';
import type { Device } from '../data/device-sources.ts';
import { AppliedVersion, DeviceState } from '../devices/device-state.tsx';
import { formatCount } from '../format.ts';
import { Clipped, State } from '../parts/badge.tsx';
import { isPerApp, rolloutOf } from './rollout.ts';
import './rollout-status.css';

interface RolloutStatusProps {
  level: GuardLevel;
  scope: string;
  devices: LoadedList<Device>;
  version: number;
}

const PER_APP_NOTE = t`Stored, but without effect: devices do not capture by application yet.`;

/** Shows how many devices have applied a version. Live: devices are refetched as they report. */
export function RolloutStatus({ level, scope, devices, version }: RolloutStatusProps) {
  if (isPerApp(level)) return <span className="muted">{PER_APP_NOTE}</span>;
  const { applied, pending } = rolloutOf(devices.results, level, scope, version);
  const all = applied.length + pending.length;
  if (version === 0 || all === 0) return null;
  return (
    <details className="rollout">
      <summary>
        <State tone={pending.length === 0 ? 'good' : 'warn'}>
          <span role="status" aria-label={t`Rollout`}>
            <Trans>
              v{version}: applied on {formatCount(applied.length)} of{' '}
              <Plural value={all} one="# device" other="# devices" />
            </Trans>
          </span>
        </State>
      </summary>
      <ul>
        {[...pending, ...applied].map((device) => (
          <li key={device.id}>
            <Clipped text={device.hostname} />
            <DeviceState device={device} />
            <AppliedVersion device={device} />
          </li>
        ))}
      </ul>
      {devices.count > devices.results.length && (
        <p className="muted">
          <Trans>
            Based on the {formatCount(devices.results.length)} most recently seen of{' '}
            {formatCount(devices.count)} devices.
          </Trans>
        </p>
      )}
    </details>
  );
}
