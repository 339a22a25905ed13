import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { GuardLevel } from '#contract/guard.ts';
import type { GuardPreview } from '../data/guard-sources.ts';
import { formatCount } from '../format.ts';
import { Text } from '../parts/text.tsx';
import { devicesText, settingText } from './preview-text.ts';
import './change-preview.css';

interface ChangePreviewProps {
  preview: GuardPreview;
  level: GuardLevel;
}

/**
 * Shows what saving would change: hosts by name, old and new settings, and the affected devices.
 */
export function ChangePreview({ preview, level }: ChangePreviewProps) {
  const { hosts, settings, changed_devices: devices, changed_count: changed } = preview;
  const on = hosts.filter((host) => host.on);
  const off = hosts.filter((host) => !host.on);
  return (
    <>
      <strong role="status" aria-label={t`Devices that change`}>
        {devicesText(preview, level)}
      </strong>
      <ul className="change-preview" aria-label={t`Difference`}>
        {settings.map((setting) => (
          <li key={`${setting.field} ${JSON.stringify([setting.before, setting.after])}`}>
            <Text>{settingText(setting)}</Text>
            {onDevices(setting.device_count, changed)}
          </li>
        ))}
        <Hosts title={t`Turned on`} hosts={on} changed={changed} />
        <Hosts title={t`Turned off`} hosts={off} changed={changed} />
      </ul>
      {changed > 0 && (
        <details>
          <summary>
            {plural(changed, { one: '# device by name', other: '# devices by name' })}
          </summary>
          <Names devices={devices} more={changed - devices.length} />
        </details>
      )}
    </>
  );
}

interface NamesProps {
  devices: GuardPreview['changed_devices'];
  /** Number of further devices, which are not named here. */
  more: number;
}

function Names({ devices, more }: NamesProps) {
  const names = <Text>{devices.map(({ hostname }) => hostname).join(', ')}</Text>;
  if (more <= 0) return names;
  const count = formatCount(more);
  return (
    <Trans>
      {names} and {count} more
    </Trans>
  );
}

interface HostsProps {
  title: string;
  hosts: GuardPreview['hosts'];
  changed: number;
}

function Hosts({ title, hosts, changed }: HostsProps) {
  if (hosts.length === 0) return null;
  return (
    <li>
      {title} ({hosts.length}):{' '}
      {hosts.map(({ host, device_count }, at) => (
        <span key={host}>
          {at > 0 && ', '}
          <span className="mono">
            <Text>{host}</Text>
          </span>
          {onDevices(device_count, changed)}
        </span>
      ))}
    </li>
  );
}

/** Returns an empty string if all changed devices are concerned. */
const onDevices = (count: number, changed: number): string =>
  count === changed ? '' : ` ${plural(count, { one: 'on # device', other: 'on # devices' })}`;
