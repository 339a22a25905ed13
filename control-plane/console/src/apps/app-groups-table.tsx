import { Link } from 'wouter';
import type { AppGroup } from '../data/app-sources.ts';
import { kindNames } from '../devices/app-names.ts';
import { RiskBadges } from '../devices/risk-badges.tsx';
import { formatCount, none } from '../format.ts';
import { Clipped } from '../parts/badge.tsx';
import { Ago } from '../parts/clock.tsx';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table.tsx';
import { pathTo } from '../path-id.ts';

const pathOf = ({ id }: AppGroup) => pathTo('apps', id);

/** From the oldest to the newest. */
export function versionsText(group: AppGroup): string {
  const { oldest_version: oldest, newest_version: newest, version_count } = group;
  if (oldest === null || newest === null) return none;
  if (oldest === newest) return newest;
  const between = version_count > 2 ? ` (${formatCount(version_count)})` : '';
  return `${oldest} – ${newest}${between}`;
}

const columns: Column<AppGroup>[] = [
  {
    name: 'App',
    cell: (group) => (
      <Link to={pathOf(group)} className="row-link">
        <Clipped text={group.name} />
      </Link>
    ),
  },
  { name: 'Kind', width: 148, cell: ({ kind }) => kindNames[kind] },
  { name: 'Versions', width: '18%', cell: (group) => <Clipped text={versionsText(group)} /> },
  {
    name: 'Devices',
    width: 84,
    align: 'end',
    cell: ({ device_count }) => formatCount(device_count),
  },
  { name: 'Users', width: 74, align: 'end', cell: ({ user_count }) => formatCount(user_count) },
  { name: 'First seen', width: 108, cell: ({ first_seen }) => <Ago at={first_seen} /> },
  {
    name: 'Risks',
    width: '20%',
    cell: ({ risk_flags }) => <RiskBadges flags={risk_flags.map(({ flag }) => flag)} />,
  },
];

interface AppGroupsTableProps {
  groups: readonly AppGroup[];
  stale: boolean;
}

export const AppGroupsTable = ({ groups, stale }: AppGroupsTableProps) => (
  <DataTable
    label="Apps"
    columns={columns}
    rows={groups}
    rowKey={({ id }) => id}
    rowLink={pathOf}
    stale={stale}
  />
);
