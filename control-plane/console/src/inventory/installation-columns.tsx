import { Link } from 'wouter';
import type { App } from '../data/inventory-sources.ts';
import { kindNames } from '../devices/app-names.ts';
import { RiskBadges } from '../devices/risk-badges.tsx';
import { NONE } from '../format.ts';
import type { ListColumn } from '../lists/columns.ts';
import { Badge, Clipped } from '../parts/badge.tsx';
import { Ago } from '../parts/clock.tsx';
import { pathTo } from '../path-id.ts';

/** The columns of the list of installations. */
export const installationColumns: readonly ListColumn<App>[] = [
  {
    id: 'app',
    label: 'App',
    cell: ({ name, group_id, present }) => (
      <span className="name-cell">
        <Link to={pathTo('apps', group_id)} className="row-link">
          <Clipped text={name} />
        </Link>
        {!present && <Badge>removed</Badge>}
      </span>
    ),
  },
  {
    id: 'kind',
    label: 'Kind',
    width: 148,
    sort: 'kind',
    cell: ({ kind }) => kindNames[kind],
  },
  {
    id: 'device',
    label: 'Device',
    cell: ({ device_id, hostname }) => (
      <Link to={pathTo('devices', device_id)}>
        <Clipped text={hostname} />
      </Link>
    ),
  },
  { id: 'user', label: 'User', width: 110, cell: ({ user }) => <Clipped text={user ?? NONE} /> },
  {
    id: 'version',
    label: 'Version',
    width: 96,
    cell: ({ version }) => <Clipped text={version ?? NONE} />,
  },
  {
    id: 'risks',
    label: 'Risks',
    width: '16%',
    cell: ({ risk_flags }) => <RiskBadges flags={risk_flags} />,
  },
  {
    id: 'first',
    label: 'First seen',
    width: 112,
    sort: 'first_seen',
    descends: true,
    cell: ({ first_seen }) => <Ago at={first_seen} />,
  },
  {
    id: 'last',
    label: 'Last seen',
    width: 112,
    sort: 'last_seen',
    descends: true,
    hidden: true,
    cell: ({ last_seen }) => <Ago at={last_seen} />,
  },
  { id: 'path', label: 'Path', hidden: true, cell: ({ path }) => <Clipped mono text={path} /> },
  {
    id: 'catalog',
    label: 'Catalog id',
    hidden: true,
    cell: ({ catalog_id }) => <Clipped mono text={catalog_id ?? NONE} />,
  },
];
