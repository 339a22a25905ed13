import { Link } from 'wouter';
import { deviceList } from '../data/sources.ts';
import type { Device } from '../data/sources.ts';
import { useQuery } from '../data/use-query.ts';
import { formatMany } from '../format.ts';
import { Clipped } from '../parts/badge.tsx';
import { Ago } from '../parts/clock.tsx';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table.tsx';
import { Empty, Loaded } from '../parts/notice.tsx';
import { Page, Pager } from '../parts/page.tsx';
import { SearchField } from '../parts/search-field.tsx';
import { offsetOf, useFilters } from '../use-filters.ts';
import { AppliedVersion, DeviceState } from './device-state.tsx';
import { DeployGuide } from './deploy-guide.tsx';

const limit = 50;

const columns: Column<Device>[] = [
  {
    name: 'Hostname',
    cell: ({ id, hostname }) => (
      <Link to={`/devices/${id}`} className="row-link" title={hostname}>
        {hostname}
      </Link>
    ),
  },
  { name: 'User', cell: ({ user }) => <Clipped text={user} /> },
  {
    name: 'OS',
    width: '13%',
    cell: ({ os, os_version }) => <Clipped text={`${os} ${os_version}`} />,
  },
  { name: 'State', width: 104, cell: (device) => <DeviceState device={device} /> },
  { name: 'Agent', width: 80, cell: ({ agent_version }) => <Clipped text={agent_version} /> },
  { name: 'Last seen', width: 110, cell: ({ last_seen }) => <Ago at={last_seen} /> },
  { name: 'Configuration', width: 150, cell: (device) => <AppliedVersion device={device} /> },
];

export function DevicesPage() {
  const filters = useFilters();
  const search = filters.get('search');
  const offset = offsetOf(filters);
  const reading = useQuery(deviceList({ limit, offset, ...(search ? { search } : {}) }));
  return (
    <Page title="Devices" aside={reading.data && <Total count={reading.data.count} />}>
      <div className="toolbar">
        <SearchField
          label="Search devices"
          value={search}
          onChange={(search) => filters.set({ search })}
        />
      </div>
      <Loaded reading={reading}>
        {({ results, count }) =>
          results.length === 0 ? (
            <NoDevices search={search} />
          ) : (
            <>
              <DataTable
                label="Devices"
                columns={columns}
                rows={results}
                rowKey={({ id }) => id}
                rowLink={({ id }) => `/devices/${id}`}
                stale={reading.stale}
              />
              <Pager
                label="Pages of devices"
                {...{ offset, limit, count }}
                onMove={(offset) => filters.set({ offset: offset ? String(offset) : '' })}
              />
            </>
          )
        }
      </Loaded>
    </Page>
  );
}

const Total = ({ count }: { count: number }) => (
  <span className="muted">{formatMany(count, 'device')}</span>
);

function NoDevices({ search }: { search: string }) {
  if (!search) return <DeployGuide />;
  return (
    <Empty title={`No device matches “${search}”`}>
      <p>Hostnames and users are searched.</p>
    </Empty>
  );
}
