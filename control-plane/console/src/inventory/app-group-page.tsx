import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Link } from 'wouter';
import { appGroupDetail, appList } from '../data/inventory-sources.ts';
import type { AppGroupDetail, App } from '../data/inventory-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { RiskBadges } from '../devices/risk-badges.tsx';
import { NONE } from '../format.ts';
import { Badge, Clipped } from '../parts/badge.tsx';
import { Select } from '../parts/choice.tsx';
import { Ago } from '../parts/clock.tsx';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table.tsx';
import { Empty, Loaded } from '../parts/notice.tsx';
import { Page, Pager } from '../parts/page.tsx';
import { Section } from '../parts/section.tsx';
import { pathTo } from '../path-id.ts';
import { offsetOf, useFilters } from '../use-filters.ts';
import { AboutApp } from './about-app.tsx';
import { AppEvidence } from './app-evidence.tsx';

const LIMIT = 50;
const parent = { name: t`Apps`, to: '/apps' };

/**
 * Page of one app across the fleet: its description, its versions, and the devices that have it.
 */
export function AppGroupPage({ id }: { id: string }) {
  const reading = useQuery(appGroupDetail(id));
  return (
    <Page title={reading.data?.name ?? t`App`} parent={parent}>
      <Loaded reading={reading}>
        {(group) => (
          <div className="stack">
            <AboutApp group={group} />
            <WhoHasIt group={group} />
          </div>
        )}
      </Loaded>
    </Page>
  );
}

const columns: Column<App>[] = [
  {
    name: t`Device`,
    cell: ({ device_id, hostname, present }) => (
      <span className="name-cell">
        <Link to={pathTo('devices', device_id)} className="row-link">
          <Clipped text={hostname} />
        </Link>
        {!present && (
          <Badge>
            <Trans>removed</Trans>
          </Badge>
        )}
      </span>
    ),
  },
  { name: t`User`, width: 120, cell: ({ user }) => <Clipped text={user ?? NONE} /> },
  { name: t`Version`, width: 110, cell: ({ version }) => <Clipped text={version ?? NONE} /> },
  { name: t`Path`, width: '28%', cell: ({ path }) => <Clipped mono text={path} /> },
  { name: t`First seen`, width: 108, cell: ({ first_seen }) => <Ago at={first_seen} /> },
  { name: t`Last seen`, width: 108, cell: ({ last_seen }) => <Ago at={last_seen} /> },
  {
    name: t`Risks`,
    width: '16%',
    wideOnly: true,
    cell: ({ risk_flags }) => <RiskBadges flags={risk_flags} />,
  },
];

function WhoHasIt({ group }: { group: AppGroupDetail }) {
  const filters = useFilters();
  const offset = offsetOf(filters);
  const [present, version] = [filters.get('present'), filters.get('version')];
  const reading = useQuery(
    appList({
      group: group.id,
      limit: LIMIT,
      offset,
      ...((present === 'true' || present === 'false') && { present }),
      ...(version && { version }),
    }),
  );
  return (
    <Section title={t`Installations`}>
      <div className="toolbar">
        <Select
          label={t`Presence`}
          all={t`All`}
          options={[
            { id: 'true', name: t`Installed` },
            { id: 'false', name: t`Removed` },
          ]}
          value={present}
          onChange={(present) => filters.set({ present })}
        />
        <Select
          label={t`Version`}
          all={t`All versions`}
          options={group.versions.map(({ version: id }) => ({ id, name: id }))}
          value={version}
          onChange={(version) => filters.set({ version })}
        />
      </div>
      <Loaded reading={reading}>
        {({ results, count }) =>
          results.length === 0 ? (
            <Empty title={t`No device matches these filters`} />
          ) : (
            <>
              <DataTable
                label={t`Installations`}
                columns={columns}
                rows={results}
                rowKey={({ id }) => id}
                rowClass={({ present: there }) => (there ? '' : 'absent')}
                detail={AppEvidence}
                stale={reading.stale}
              />
              <Pager
                label={t`Pages of devices`}
                {...{ offset, limit: LIMIT, count }}
                onMove={(offset) => filters.set({ offset: offset ? String(offset) : '' })}
              />
            </>
          )
        }
      </Loaded>
    </Section>
  );
}
