import { t } from '@lingui/core/macro';
import { Link } from 'wouter';
import type { AppGroup } from '../data/inventory-sources.ts';
import { kindNames } from '../devices/app-names.ts';
import { RiskBadges } from '../devices/risk-badges.tsx';
import { formatCount, NONE } from '../format.ts';
import type { ListColumn } from '../lists/columns.ts';
import { Clipped } from '../parts/badge.tsx';
import { Ago } from '../parts/clock.tsx';
import { pathTo } from '../path-id.ts';

/** The range of versions, from the oldest to the newest. */
export function versionsText(group: AppGroup): string {
  const { oldest_version: oldest, newest_version: newest, version_count } = group;
  if (oldest === null || newest === null) return NONE;
  if (oldest === newest) return newest;
  const between = version_count > 2 ? ` (${formatCount(version_count)})` : '';
  return `${oldest} – ${newest}${between}`;
}

const counted = { numeric: true, descends: true } as const;

/** The columns of the list of apps across the fleet. */
export const appGroupColumns: readonly ListColumn<AppGroup>[] = [
  {
    id: 'app',
    label: t`App`,
    sort: 'name',
    cell: (group) => (
      <Link to={pathTo('apps', group.id)} className="row-link">
        <Clipped text={group.name} />
      </Link>
    ),
  },
  { id: 'kind', label: t`Kind`, width: 148, cell: ({ kind }) => kindNames[kind] },
  {
    id: 'versions',
    label: t`Versions`,
    width: '18%',
    cell: (group) => <Clipped text={versionsText(group)} />,
  },
  {
    ...counted,
    id: 'devices',
    label: t`Devices`,
    width: 96,
    sort: 'device_count',
    cell: ({ device_count }) => formatCount(device_count),
  },
  {
    ...counted,
    id: 'users',
    label: t`Users`,
    width: 84,
    sort: 'user_count',
    cell: ({ user_count }) => formatCount(user_count),
  },
  {
    id: 'first',
    label: t`First seen`,
    width: 112,
    sort: 'first_seen',
    descends: true,
    cell: ({ first_seen }) => <Ago at={first_seen} />,
  },
  {
    id: 'risks',
    label: t`Risks`,
    width: '20%',
    cell: ({ risk_flags }) => <RiskBadges flags={risk_flags.map(({ flag }) => flag)} />,
  },
  {
    id: 'last',
    label: t`Last seen`,
    width: 112,
    sort: 'last_seen',
    descends: true,
    hidden: true,
    cell: ({ last_seen }) => <Ago at={last_seen} />,
  },
  {
    id: 'gone',
    label: t`Removed from`,
    width: 112,
    numeric: true,
    hidden: true,
    cell: ({ gone_count }) => formatCount(gone_count),
  },
  {
    id: 'catalog',
    label: t`Catalog id`,
    hidden: true,
    cell: ({ catalog_id }) => <Clipped mono text={catalog_id ?? NONE} />,
  },
];
