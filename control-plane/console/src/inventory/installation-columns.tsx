import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
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
    label: t`App`,
    cell: ({ name, group_id, present }) => (
      <span className="name-cell">
        <Link to={pathTo('apps', group_id)} className="row-link">
          <Clipped text={name} />
        </Link>
        {!present && (
          <Badge>
            <Trans>removed</Trans>
          </Badge>
        )}
      </span>
    ),
  },
  {
    id: 'kind',
    label: t`Kind`,
    width: 148,
    sort: 'kind',
    cell: ({ kind }) => kindNames[kind],
  },
  {
    id: 'device',
    label: t`Device`,
    cell: ({ device_id, hostname }) => (
      <Link to={pathTo('devices', device_id)}>
        <Clipped text={hostname} />
      </Link>
    ),
  },
  { id: 'user', label: t`User`, width: 110, cell: ({ user }) => <Clipped text={user ?? NONE} /> },
  {
    id: 'version',
    label: t`Version`,
    width: 96,
    cell: ({ version }) => <Clipped text={version ?? NONE} />,
  },
  {
    id: 'risks',
    label: t`Risks`,
    width: '16%',
    cell: ({ risk_flags }) => <RiskBadges flags={risk_flags} />,
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
    id: 'last',
    label: t`Last seen`,
    width: 112,
    sort: 'last_seen',
    descends: true,
    hidden: true,
    cell: ({ last_seen }) => <Ago at={last_seen} />,
  },
  { id: 'path', label: t`Path`, hidden: true, cell: ({ path }) => <Clipped mono text={path} /> },
  {
    id: 'catalog',
    label: t`Catalog id`,
    hidden: true,
    cell: ({ catalog_id }) => <Clipped mono text={catalog_id ?? NONE} />,
  },
];
