import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Link } from 'wouter';
import { deviceDetail } from '../data/device-sources.ts';
import type { DeviceDetail } from '../data/device-sources.ts';
import { deviceApps } from '../data/inventory-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { formatCount, NONE } from '../format.ts';
import { Ago } from '../parts/clock.tsx';
import { Loaded, Notice } from '../parts/notice.tsx';
import { Facts } from '../parts/page.tsx';
import { Text } from '../parts/text.tsx';
import { pathTo } from '../path-id.ts';
import { kindNames } from './app-names.ts';
import { CapturePaused } from './capture-pause.tsx';
import { AppliedVersion, DeviceState } from './device-state.tsx';
import { problemText, systemName } from './device-words.ts';
import { RiskList } from './risk-badges.tsx';

/** Side panel of a device. */
export function DevicePanel({ id }: { id: string }) {
  const reading = useQuery(deviceDetail(id));
  // While another device loads, `data` is still that of the previous one.
  const shown = reading.data?.id === id ? reading : { ...reading, data: undefined };
  return <Loaded reading={shown}>{(device) => <DeviceFacts device={device} />}</Loaded>;
}

const DeviceFacts = ({ device }: { device: DeviceDetail }) => (
  <div className="stack">
    {device.problems.length > 0 && (
      <Notice tone="warn">
        <ul className="plain">
          {device.problems.map((problem) => (
            <li key={problem}>
              <Text>{problemText(problem)}</Text>
            </li>
          ))}
        </ul>
      </Notice>
    )}
    <Facts
      facts={[
        [t`State`, <DeviceState key="state" device={device} />],
        [t`User`, device.user],
        [t`User group`, device.user_group ?? NONE],
        [t`System`, systemName(device)],
        [t`Agent`, device.agent_version],
        [t`Last seen`, <Ago key="seen" at={device.last_seen} />],
        [t`Enrolled`, <Ago key="enrolled" at={device.enrolled_at} />],
        [
          t`Configuration`,
          <span key="config">
            <AppliedVersion device={device} /> <CapturePaused pause={device.capture_pause} />
          </span>,
        ],
        [t`Flows`, formatCount(device.flow_count)],
      ]}
    />
    <p>
      <Link to={`/guard?level=device&scope=${encodeURIComponent(device.id)}`}>
        <Trans>Change capture for this device</Trans>
      </Link>
    </p>
    {device.risk_flags.length > 0 && (
      <div>
        <h3>
          <Trans>Risks</Trans>
        </h3>
        <RiskList flags={device.risk_flags} />
      </div>
    )}
    <div>
      <h3>
        <Trans>Apps</Trans>
      </h3>
      <AppNames device={device} />
    </div>
  </div>
);

function AppNames({ device }: { device: DeviceDetail }) {
  const reading = useQuery(deviceApps(device.id, { present: 'true' }));
  return (
    <Loaded reading={reading}>
      {({ results }) =>
        results.length === 0 ? (
          <p className="muted">
            <Trans>The latest scan found no AI app.</Trans>
          </p>
        ) : (
          <ul className="plain">
            {results.map(({ id, name, kind, version, group_id }) => (
              <li key={id}>
                <Link to={pathTo('apps', group_id)}>
                  <Text>{name}</Text>
                </Link>{' '}
                <span className="muted">
                  {kindNames[kind]} <Text>{version ?? ''}</Text>
                </span>
              </li>
            ))}
          </ul>
        )
      }
    </Loaded>
  );
}
