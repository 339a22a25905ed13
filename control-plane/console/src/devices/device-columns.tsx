import { t } from '@lingui/core/macro';
import { Link } from 'wouter';
import type { Device } from '../data/device-sources.ts';
import { formatCount, formatExact, NONE } from '../format.ts';
import type { ListColumn } from '../lists/columns.ts';
import { Badge, Clipped } from '../parts/badge.tsx';
import { Ago } from '../parts/clock.tsx';
import { markInvisible } from '../mark-invisible.ts';
import { PausedUntil } from './capture-pause.tsx';
import { AppliedVersion, DeviceState } from './device-state.tsx';
import { problemText, systemName } from './device-words.ts';
import { riskWords } from './risk-words.ts';

/** The columns of the list of devices. */
export const deviceColumns: readonly ListColumn<Device>[] = [
  {
    id: 'hostname',
    label: t`Hostname`,
    sort: 'hostname',
    cell: ({ id, hostname }) => (
      <Link to={`/devices/${id}`} className="row-link">
        <Clipped text={hostname} />
      </Link>
    ),
  },
  { id: 'user', label: t`User`, sort: 'user', cell: ({ user }) => <Clipped text={user} /> },
  {
    id: 'os',
    label: 'OS',
    hidden: true,
    cell: (device) => <Clipped text={systemName(device)} />,
  },
  { id: 'state', label: t`State`, width: 104, cell: (device) => <DeviceState device={device} /> },
  {
    id: 'apps',
    label: t`Apps`,
    width: 78,
    numeric: true,
    sort: 'apps',
    descends: true,
    cell: ({ present_apps }) => formatCount(present_apps),
  },
  {
    id: 'problems',
    label: t`Problems`,
    width: 104,
    numeric: true,
    sort: 'problems',
    descends: true,
    cell: ({ problems }) => <ProblemCount problems={problems} />,
  },
  {
    id: 'risks',
    label: t`Risks`,
    width: 70,
    numeric: true,
    cell: ({ risk_flags }) => <RiskCount flags={risk_flags} />,
  },
  {
    id: 'seen',
    label: t`Last seen`,
    width: 110,
    sort: 'last_seen',
    descends: true,
    cell: ({ last_seen }) => <Ago at={last_seen} />,
  },
  {
    id: 'config',
    label: t`Configuration`,
    width: 194,
    cell: (device) => (
      <>
        <Link
          to={`/guard?level=device&scope=${encodeURIComponent(device.id)}`}
          title={t`Change capture for this device`}
        >
          <AppliedVersion device={device} />
        </Link>
        <PausedUntil pause={device.capture_pause} />
      </>
    ),
  },
  {
    id: 'agent',
    label: t`Agent`,
    width: 90,
    hidden: true,
    cell: ({ agent_version }) => <Clipped text={agent_version} />,
  },
  {
    id: 'group',
    label: t`User group`,
    hidden: true,
    cell: ({ user_group }) => <Clipped text={user_group ?? NONE} />,
  },
  {
    id: 'enrolled',
    label: t`Enrolled`,
    width: 110,
    sort: 'enrolled_at',
    descends: true,
    hidden: true,
    cell: ({ enrolled_at }) => <Ago at={enrolled_at} />,
  },
  {
    id: 'seen-exactly',
    label: t`Last seen at`,
    hidden: true,
    cell: ({ last_seen }) => <Clipped text={formatExact(Date.parse(last_seen))} />,
  },
  { id: 'id', label: t`Id`, hidden: true, cell: ({ id }) => <Clipped mono text={id} /> },
];

function ProblemCount({ problems }: Pick<Device, 'problems'>) {
  if (problems.length === 0) return '0';
  return (
    <Badge tone="warn" title={markInvisible(problems.map(problemText).join('; '))}>
      {formatCount(problems.length)}
    </Badge>
  );
}

function RiskCount({ flags }: { flags: readonly string[] }) {
  if (flags.length === 0) return '0';
  return (
    <Badge tone="warn" title={markInvisible(flags.map((flag) => riskWords(flag).name).join('; '))}>
      {formatCount(flags.length)}
    </Badge>
  );
}
