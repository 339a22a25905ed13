import type { GuardLevel } from '#contract/guard.ts';
import type { GuardPreview } from '../data/guard-sources.ts';
import { formatCount, formatMany } from '../format.ts';
import { Text } from '../parts/text.tsx';
import { devicesText, settingText } from './preview-text.ts';
import './change-preview.css';

interface ChangePreviewProps {
  preview: GuardPreview;
  level: GuardLevel;
}

/** The difference that saving makes: hosts by name, settings old and new, and the devices. */
export function ChangePreview({ preview, level }: ChangePreviewProps) {
  const { hosts, settings, changed_devices: devices, changed_count: changed } = preview;
  const on = hosts.filter((host) => host.on);
  const off = hosts.filter((host) => !host.on);
  return (
    <>
      <strong role="status" aria-label="Devices that change">
        {devicesText(preview, level)}
      </strong>
      <ul className="change-preview" aria-label="Difference">
        {settings.map((setting) => (
          <li key={`${setting.field} ${JSON.stringify([setting.before, setting.after])}`}>
            <Text>{settingText(setting)}</Text>
            {onDevices(setting.device_count, changed)}
          </li>
        ))}
        <Hosts title="Turned on" hosts={on} changed={changed} />
        <Hosts title="Turned off" hosts={off} changed={changed} />
      </ul>
      {changed > 0 && (
        <details>
          <summary>{formatMany(changed, 'device')} by name</summary>
          <Text>{devices.map(({ hostname }) => hostname).join(', ')}</Text>
          {changed > devices.length && ` and ${formatCount(changed - devices.length)} more`}
        </details>
      )}
    </>
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

/** Said only where it is not all that change. */
const onDevices = (count: number, changed: number): string =>
  count === changed ? '' : ` on ${formatMany(count, 'device')}`;
