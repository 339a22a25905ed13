import { t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { Link } from 'wouter';
import { deviceList } from '../data/device-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { State } from '../parts/badge.tsx';
import { Ago } from '../parts/clock.tsx';
import { Text } from '../parts/text.tsx';
import { pathTo } from '../path-id.ts';
import { DeviceState } from './device-state.tsx';

const LIMIT = 100;

/** Devices that enrolled since the page was opened, updated live. */
export function NewDevices() {
  const devices = useQuery(deviceList({ limit: LIMIT, sort: '-enrolled_at' })).data?.results;
  const [since, setSince] = useState<string>();
  if (since === undefined && devices) setSince(latest(devices));
  const arrived = devices?.filter(({ enrolled_at }) => enrolled_at > (since ?? enrolled_at)) ?? [];
  const waiting = arrived.filter(({ waiting_key }) => waiting_key !== null);
  return (
    <div role="status" className="arrivals">
      {arrived.length === 0 ? (
        <>
          <State tone="accent">
            {since === '' ? t`Waiting for the first device…` : t`Waiting for a new device…`}
          </State>
          <p className="muted">
            <Trans>It appears here within seconds of enrolling.</Trans>
          </p>
        </>
      ) : (
        <>
          <State tone="good">
            <Trans>
              <Plural value={arrived.length} one="# device" other="# devices" /> since this page was
              opened
            </Trans>
          </State>
          <ul>
            {arrived.map((device) => (
              <li key={device.id}>
                <Link to={pathTo('devices', device.id)}>
                  <Text>{device.hostname}</Text>
                </Link>{' '}
                <DeviceState device={device} />{' '}
                <span className="muted">
                  <Ago at={device.enrolled_at} />
                </span>
              </li>
            ))}
          </ul>
          {waiting.length > 0 && (
            <Link to="/devices?state=waiting">
              <Trans>
                <Plural value={waiting.length} one="# device" other="# devices" /> to approve
              </Trans>
            </Link>
          )}
        </>
      )}
    </div>
  );
}

const latest = (devices: readonly { enrolled_at: string }[]): string =>
  devices.reduce((last, { enrolled_at }) => (enrolled_at > last ? enrolled_at : last), '');
