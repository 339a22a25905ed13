import { Link } from 'wouter';
import type { Device } from '../data/sources.ts';
import { Clipped } from '../parts/badge.tsx';
import { Ago } from '../parts/clock.tsx';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table.tsx';
import { PausedUntil } from './capture-pause.tsx';
import { AppliedVersion, DeviceState } from './device-state.tsx';
import { systemName } from './system-name.ts';

const columns: Column<Device>[] = [
  {
    name: 'Hostname',
    cell: ({ id, hostname }) => (
      <Link to={`/devices/${id}`} className="row-link">
        <Clipped text={hostname} />
      </Link>
    ),
  },
  { name: 'User', cell: ({ user }) => <Clipped text={user} /> },
  {
    name: 'OS',
    width: '13%',
    cell: (device) => <Clipped text={systemName(device)} />,
  },
  { name: 'State', width: 104, cell: (device) => <DeviceState device={device} /> },
  {
    name: 'Agent',
    width: 80,
    wideOnly: true,
    cell: ({ agent_version }) => <Clipped text={agent_version} />,
  },
  { name: 'Last seen', width: 110, cell: ({ last_seen }) => <Ago at={last_seen} /> },
  {
    name: 'Configuration',
    width: 180,
    cell: (device) => (
      <>
        <AppliedVersion device={device} />
        <PausedUntil pause={device.capture_pause} />
      </>
    ),
  },
];

interface DevicesTableProps {
  devices: readonly Device[];
  stale: boolean;
}

export const DevicesTable = ({ devices, stale }: DevicesTableProps) => (
  <DataTable
    label="Devices"
    columns={columns}
    rows={devices}
    rowKey={({ id }) => id}
    rowLink={({ id }) => `/devices/${id}`}
    stale={stale}
  />
);
