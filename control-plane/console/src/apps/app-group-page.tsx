import { Link } from 'wouter';
import { appGroupDetail, groupApps } from '../data/app-sources.ts';
import type { AppGroupDetail } from '../data/app-sources.ts';
import type { App } from '../data/sources.ts';
import { useQuery } from '../data/use-query.ts';
import { kindNames } from '../devices/app-names.ts';
import { RiskBadges, RiskList } from '../devices/risk-badges.tsx';
import { formatCount, formatMany, none } from '../format.ts';
import { Badge, Clipped } from '../parts/badge.tsx';
import { Select } from '../parts/choice.tsx';
import { Ago } from '../parts/clock.tsx';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table.tsx';
import { Empty, Loaded } from '../parts/notice.tsx';
import { Facts, Page, Pager } from '../parts/page.tsx';
import { Section } from '../parts/section.tsx';
import { Text } from '../parts/text.tsx';
import { pathTo } from '../path-id.ts';
import { offsetOf, useFilters } from '../use-filters.ts';

const limit = 50;
const parent = { name: 'Apps', to: '/apps' };

/** One app across the fleet: what it is, in which versions, and who has it. */
export function AppGroupPage({ id }: { id: string }) {
  const reading = useQuery(appGroupDetail(id));
  return (
    <Page title={reading.data?.name ?? 'App'} parent={parent}>
      <Loaded reading={reading}>
        {(group) => (
          <div className="stack">
            <About group={group} />
            <WhoHasIt group={group} />
          </div>
        )}
      </Loaded>
    </Page>
  );
}

function About({ group }: { group: AppGroupDetail }) {
  const { versions, risk_flags } = group;
  return (
    <section className="card" aria-label="App">
      <Facts
        facts={[
          ['Kind', kindNames[group.kind]],
          ['Catalog', group.catalog_id ?? 'not in the catalog'],
          ['Devices', formatCount(group.device_count)],
          ['Removed from', formatMany(group.gone_count, 'device')],
          ['Users', formatCount(group.user_count)],
          ['First seen', <Ago key="first" at={group.first_seen} />],
          ['Last seen', <Ago key="last" at={group.last_seen} />],
        ]}
      />
      {versions.length > 0 && (
        <div className="names">
          <h3>Versions, newest first</h3>
          <ul className="badges">
            {versions.map(({ version, device_count }) => (
              <li key={version}>
                <Badge title={formatMany(device_count, 'device')}>
                  <Text>{version}</Text> · {formatCount(device_count)}
                </Badge>
              </li>
            ))}
          </ul>
        </div>
      )}
      {risk_flags.length > 0 && (
        <div className="names">
          <h3>Risks</h3>
          <RiskList flags={risk_flags.map(({ flag }) => flag)} />
        </div>
      )}
    </section>
  );
}

const columns: Column<App>[] = [
  {
    name: 'Device',
    cell: ({ device_id, hostname, present }) => (
      <span className="name-cell">
        <Link to={pathTo('devices', device_id)} className="row-link">
          <Clipped text={hostname} />
        </Link>
        {!present && <Badge>removed</Badge>}
      </span>
    ),
  },
  { name: 'User', width: 120, cell: ({ user }) => <Clipped text={user ?? none} /> },
  { name: 'Version', width: 110, cell: ({ version }) => <Clipped text={version ?? none} /> },
  { name: 'Path', width: '28%', cell: ({ path }) => <Clipped mono text={path} /> },
  { name: 'First seen', width: 108, cell: ({ first_seen }) => <Ago at={first_seen} /> },
  { name: 'Last seen', width: 108, cell: ({ last_seen }) => <Ago at={last_seen} /> },
  {
    name: 'Risks',
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
    groupApps({
      group: group.id,
      limit,
      offset,
      ...((present === 'true' || present === 'false') && { present }),
      ...(version && { version }),
    }),
  );
  return (
    <Section title="Installations">
      <div className="toolbar">
        <Select
          label="Presence"
          all="All"
          options={[
            { id: 'true', name: 'Installed' },
            { id: 'false', name: 'Removed' },
          ]}
          value={present}
          onChange={(present) => filters.set({ present })}
        />
        <Select
          label="Version"
          all="All versions"
          options={group.versions.map(({ version: id }) => ({ id, name: id }))}
          value={version}
          onChange={(version) => filters.set({ version })}
        />
      </div>
      <Loaded reading={reading}>
        {({ results, count }) =>
          results.length === 0 ? (
            <Empty title="No device matches these filters" />
          ) : (
            <>
              <DataTable
                label="Installations"
                columns={columns}
                rows={results}
                rowKey={({ id }) => id}
                rowClass={({ present: there }) => (there ? '' : 'absent')}
                detail={Evidence}
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
    </Section>
  );
}

function Evidence({ path, evidence, risk_flags }: App) {
  return (
    <div className="detail-body">
      <div>
        <h3>Path</h3>
        <p className="mono whole">
          <Text>{path}</Text>
        </p>
      </div>
      <div>
        <h3>Evidence</h3>
        <ul className="plain mono whole">
          {evidence.map((line) => (
            <li key={line}>
              <Text>{line}</Text>
            </li>
          ))}
        </ul>
      </div>
      {risk_flags.length > 0 && <RiskList flags={risk_flags} />}
    </div>
  );
}
