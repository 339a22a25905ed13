import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { deviceDetail } from '../data/device-sources.ts';
import type { DeviceDetail } from '../data/device-sources.ts';
import { mayAdminister, mayWrite } from '../data/session.ts';
import type { User } from '../data/session.ts';
import { useQuery } from '../data/use-query.ts';
import { formatCount, NONE } from '../format.ts';
import { FlowsList } from '../flows/flows-page.tsx';
import { Clipped } from '../parts/badge.tsx';
import { Ago } from '../parts/clock.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { Loaded, Notice } from '../parts/notice.tsx';
import { Facts, Page } from '../parts/page.tsx';
import { Text } from '../parts/text.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { useFilters } from '../use-filters.ts';
import { AppsList } from './apps-list.tsx';
import { CapturePaused, PausesList } from './capture-pause.tsx';
import { CertificateRefusals } from './certificate-refusals.tsx';
import { DeviceActions } from './device-actions.tsx';
import { DeviceEvents } from './device-events.tsx';
import { AppliedVersion, DeviceState } from './device-state.tsx';
import { EffectiveConfig } from './effective-config.tsx';
import { NotObserved } from './not-observed.tsx';
import { problemText, systemName } from './device-words.ts';
import './device-page.css';

export function DevicePage({ id, user }: { id: string; user: User }) {
  const reading = useQuery(deviceDetail(id));
  const { data } = reading;
  return (
    <Page
      title={data?.hostname ?? t`Device`}
      parent={{ name: t`Devices`, to: '/devices' }}
      aside={
        data && (
          <div className="device-states">
            <CapturePaused pause={data.capture_pause} />
            <DeviceState device={data} />
          </div>
        )
      }
    >
      <Loaded reading={reading}>
        {(device) => (
          <>
            <PendingEnrollment pending={device.waiting} />
            <DeviceContent
              device={device}
              user={user}
              actions={
                mayAdminister(user) && (
                  <footer className="device-actions">
                    <DeviceActions device={device} onDecided={reading.refetch} />
                  </footer>
                )
              }
            />
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
      <Trans>
        <strong>Enrollment pending approval</strong> since <Ago at={pending.since} />, with the key{' '}
        <span className="mono">{pending.key}</span>. Reported by the device (unverified):{' '}
        <Text>{pending.hostname}</Text>, user <Text>{pending.user || NONE}</Text>,{' '}
        <Text>{systemName(pending)}</Text>. Requested from {pending.address}
      </Trans>
    </Notice>
  );
}

interface DeviceContentProps {
  device: DeviceDetail;
  user: User;
  /** Actions on the device, below its description. */
  actions: ReactNode;
}

function DeviceContent({ device, user, actions }: DeviceContentProps) {
  const filters = useFilters();
  const administers = mayAdminister(user);
  const { not_observed: gaps, certificate_refusals: refusals, pauses } = device;
  const tabs = [
    { id: 'apps', name: t`Apps`, count: formatCount(device.app_count) },
    { id: 'flows', name: t`Flows`, count: formatCount(device.flow_count) },
    ...(gaps.length > 0
      ? [{ id: 'gaps', name: t`Monitoring gaps`, count: formatCount(gaps.length) }]
      : []),
    ...(pauses.length > 0
      ? [{ id: 'pauses', name: t`Pauses`, count: formatCount(pauses.length) }]
      : []),
    ...(refusals.length > 0
      ? [{ id: 'refusals', name: t`Certificate rejected`, count: formatCount(refusals.length) }]
      : []),
    { id: 'events', name: t`Events` },
  ];
  const tab = tabs.find(({ id }) => id === filters.get('tab'))?.id ?? 'apps';
  return (
    <>
      <Problems problems={device.problems} />
      <div className="cards">
        <section className="card" aria-label={t`Device`}>
          <Facts facts={factsOf(device)} />
          <p className="device-links">
            {mayWrite(user) && (
              <Link to={`/captures?device=${encodeURIComponent(device.id)}`}>
                <Trans>Captures</Trans>
              </Link>
            )}
            <Link to={`/incidents?device=${encodeURIComponent(device.id)}`}>
              <Trans>Incidents</Trans>
            </Link>
          </p>
          {actions}
        </section>
        <EffectiveConfig device={device} administers={administers} />
      </div>
      <Tabs
        label={t`Device reports`}
        tabs={tabs}
        current={tab}
        onChoose={(tab) => filters.set({ tab })}
      >
        {tab === 'apps' && <AppsList device={device.id} levels={device.capture_levels} />}
        {tab === 'flows' && <FlowsList device={device.id} />}
        {tab === 'gaps' && <NotObserved gaps={gaps} />}
        {tab === 'pauses' && <PausesList pauses={pauses} />}
        {tab === 'events' && <DeviceEvents device={device.id} administers={administers} />}
        {tab === 'refusals' && <CertificateRefusals refusals={refusals} />}
      </Tabs>
    </>
  );
}

function factsOf(device: DeviceDetail) {
  return [
    [
      'ID',
      <span key="id" className="copied-value">
        <Clipped mono text={device.id} />
        <CopyButton text={device.id} label={t`Copy the ID of the device`} />
      </span>,
    ],
    [t`User`, device.user],
    [t`User group`, device.user_group ?? NONE],
    [t`System`, systemName(device)],
    [t`Agent`, device.agent_version],
    [t`Last seen`, <Ago key="seen" at={device.last_seen} />],
    [t`Enrolled`, <Ago key="enrolled" at={device.enrolled_at} />],
    [t`Configuration`, <AppliedVersion key="version" device={device} />],
    [t`Certificate`, <Certificate key="certificate" identity={device.identity} />],
    [t`Expires`, device.identity ? <Ago key="expires" at={device.identity.expires_at} /> : NONE],
    ...droppedReports(device),
  ] as const;
}

/** The number of reports that the device dropped because its spool was full. */
const droppedReports = ({ dropped }: DeviceDetail) =>
  dropped > 0 ? ([[t`Reports dropped`, formatCount(dropped)]] as const) : [];

function Certificate({ identity }: Pick<DeviceDetail, 'identity'>) {
  if (!identity)
    return (
      <span className="pending">
        <Trans>no valid certificate</Trans>
      </span>
    );
  return (
    <span className="copied-value">
      <Clipped mono text={identity.serial} title={t`Serial ${identity.serial}`} />
      <CopyButton text={identity.serial} label={t`Copy the serial of the certificate`} />
    </span>
  );
}

function Problems({ problems }: { problems: readonly string[] }) {
  if (problems.length === 0) return null;
  return (
    <Notice tone="warn">
      <strong>
        {problems.length === 1 ? t`The agent reports a problem` : t`The agent reports problems`}
      </strong>
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
