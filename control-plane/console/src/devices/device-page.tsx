import { deviceDetail } from '../data/sources.ts';
import type { DeviceDetail } from '../data/sources.ts';
import { mayAdminister } from '../data/session.ts';
import type { User } from '../data/session.ts';
import { useQuery } from '../data/use-query.ts';
import { formatCount, none } from '../format.ts';
import { FlowsList } from '../flows/flows-list.tsx';
import { Clipped } from '../parts/badge.tsx';
import { Ago } from '../parts/clock.tsx';
import { Loaded, Notice } from '../parts/notice.tsx';
import { Facts, Page } from '../parts/page.tsx';
import { Text } from '../parts/text.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { useFilters } from '../use-filters.ts';
import { AppsList } from './apps-list.tsx';
import { CapturePaused } from './capture-pause.tsx';
import { CertificateRefusals } from './certificate-refusals.tsx';
import { DeviceActions } from './device-actions.tsx';
import { AppliedVersion, DeviceState } from './device-state.tsx';
import { EffectiveConfig } from './effective-config.tsx';
import { NotObserved } from './not-observed.tsx';
import { PausesList } from './pauses-list.tsx';
import { problemText } from './problem-text.ts';
import { systemName } from './system-name.ts';

export function DevicePage({ id, user }: { id: string; user: User }) {
  const reading = useQuery(deviceDetail(id));
  const { data } = reading;
  return (
    <Page
      title={data?.hostname ?? 'Device'}
      parent={{ name: 'Devices', to: '/devices' }}
      aside={
        data && (
          <>
            <CapturePaused pause={data.capture_pause} /> <DeviceState device={data} />
          </>
        )
      }
    >
      <Loaded reading={reading}>
        {(device) => (
          <>
            {mayAdminister(user) && (
              <div className="button-row toolbar">
                <DeviceActions device={device} onDecided={reading.refetch} />
              </div>
            )}
            <PendingEnrollment pending={device.waiting} />
            <DeviceContent device={device} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function PendingEnrollment({ pending }: { pending: DeviceDetail['waiting'] }) {
  if (!pending) return null;
  return (
    <Notice tone="warn">
      <strong>Enrollment pending approval</strong> since <Ago at={pending.since} />, with the key{' '}
      <span className="mono">{pending.key}</span>. Reported by the device (unverified):{' '}
      <Text>{pending.hostname}</Text>, user <Text>{pending.user || none}</Text>,{' '}
      <Text>{systemName(pending)}</Text>. Requested from {pending.address}
    </Notice>
  );
}

function DeviceContent({ device }: { device: DeviceDetail }) {
  const filters = useFilters();
  const { not_observed: gaps, certificate_refusals: refusals, pauses } = device;
  const tabs = [
    { id: 'apps', name: 'Apps', count: formatCount(device.app_count) },
    { id: 'flows', name: 'Flows', count: formatCount(device.flow_count) },
    ...(gaps.length > 0
      ? [{ id: 'gaps', name: 'Monitoring gaps', count: formatCount(gaps.length) }]
      : []),
    ...(pauses.length > 0
      ? [{ id: 'pauses', name: 'Pauses', count: formatCount(pauses.length) }]
      : []),
    ...(refusals.length > 0
      ? [{ id: 'refusals', name: 'Certificate rejected', count: formatCount(refusals.length) }]
      : []),
  ];
  const tab = tabs.find(({ id }) => id === filters.get('tab'))?.id ?? 'apps';
  return (
    <>
      <Problems problems={device.problems} />
      <div className="cards">
        <section className="card" aria-label="Device">
          <Facts facts={factsOf(device)} />
        </section>
        <EffectiveConfig device={device} />
      </div>
      <Tabs
        label="Device reports"
        tabs={tabs}
        current={tab}
        onChoose={(tab) => filters.set({ tab })}
      >
        {tab === 'apps' && <AppsList device={device.id} levels={device.capture_levels} />}
        {tab === 'flows' && <FlowsList device={device.id} />}
        {tab === 'gaps' && <NotObserved gaps={gaps} />}
        {tab === 'pauses' && <PausesList pauses={pauses} />}
        {tab === 'refusals' && <CertificateRefusals refusals={refusals} />}
      </Tabs>
    </>
  );
}

function factsOf(device: DeviceDetail) {
  return [
    ['User', device.user],
    ['User group', device.user_group ?? none],
    ['System', systemName(device)],
    ['Agent', device.agent_version],
    ['Last seen', <Ago key="seen" at={device.last_seen} />],
    ['Enrolled', <Ago key="enrolled" at={device.enrolled_at} />],
    ['Configuration', <AppliedVersion key="version" device={device} />],
    ['Certificate', <Certificate key="certificate" identity={device.identity} />],
    ['Expires', device.identity ? <Ago key="expires" at={device.identity.expires_at} /> : none],
    ...droppedReports(device),
  ] as const;
}

/** Reports that the device dropped because its spool was full. */
const droppedReports = ({ dropped }: DeviceDetail) =>
  dropped > 0 ? ([['Reports dropped', formatCount(dropped)]] as const) : [];

function Certificate({ identity }: Pick<DeviceDetail, 'identity'>) {
  if (!identity) return <span className="pending">no valid certificate</span>;
  return <Clipped mono text={identity.serial} title={`Serial ${identity.serial}`} />;
}

function Problems({ problems }: { problems: readonly string[] }) {
  if (problems.length === 0) return null;
  return (
    <Notice tone="warn">
      <strong>The agent reports {problems.length === 1 ? 'a problem' : 'problems'}</strong>
      <ul>
        {problems.map((problem) => (
          <li key={problem}>
            <Text>{problemText(problem)}</Text>
          </li>
        ))}
      </ul>
    </Notice>
  );
}
