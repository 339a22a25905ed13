import { plural, t } from '@lingui/core/macro';
import type { ReactNode } from 'react';
import { inventoryRoutes } from '#contract/inventory.ts';
import { appCounts, appList, boundsOf } from '../data/inventory-sources.ts';
import type { App } from '../data/inventory-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { kindNames } from '../devices/app-names.ts';
import { NONE } from '../format.ts';
import { CountHistogram } from '../lists/count-histogram.tsx';
import { ListActions } from '../lists/list-actions.tsx';
import { shownTimeOf } from '../lists/list-times.ts';
import { ListTable } from '../lists/list-table.tsx';
import { FilterToolbar } from '../lists/filter-toolbar.tsx';
import { Select } from '../parts/choice.tsx';
import { Ago } from '../parts/clock.tsx';
import { NameField } from '../parts/name-field.tsx';
import { Empty, Loaded } from '../parts/notice.tsx';
import { Facts, Pager } from '../parts/page.tsx';
import { SearchField } from '../parts/search-field.tsx';
import { pathTo } from '../path-id.ts';
import { offsetOf } from '../use-filters.ts';
import type { Filters } from '../use-filters.ts';
import { AppEvidence } from './app-evidence.tsx';
import { installationColumns } from './installation-columns.tsx';
import { FIRST_INSTALLATION_SORT, installationFilterOf } from './installation-filter.ts';
import {
  appRangesOf,
  AppTime,
  appTimes,
  fieldOf,
  KindSelect,
  NewSince,
  rangeCount,
  RiskSelect,
} from './inventory-fields.tsx';

const LIST = 'installations';
const LIMIT = 50;

/** Table of the apps on each device. */
export function InstallationsList({ filters }: { filters: Filters }) {
  const offset = offsetOf(filters);
  const [filter, ranges] = [installationFilterOf(filters), appRangesOf(filters)];
  const reading = useQuery(appList({ limit: LIMIT, offset, ...filter }, ranges));
  const by = shownTimeOf(filters, appTimes);
  const { data: counts } = useQuery(appCounts({ ...filter, by }, ranges));
  return (
    <>
      <InstallationsToolbar
        filters={filters}
        controls={
          <ListActions
            list={LIST}
            columns={installationColumns}
            count={reading.data?.count}
            total={reading.data && totalText(reading.data)}
            path={inventoryRoutes.exportApps.path}
            query={() => ({ ...filter, ...boundsOf(ranges) })}
          />
        }
      />
      <CountHistogram
        counts={counts}
        format={(count) => plural(count, { one: '# installation', other: '# installations' })}
        times={appTimes}
        range={ranges.range}
        filters={filters}
      />
      <Loaded reading={reading}>
        {({ results, count, count_exact: exact }) =>
          count === 0 ? (
            <Empty title={t`No installation matches these filters`} />
          ) : (
            <>
              <ListTable
                list={LIST}
                label={t`Installations`}
                columns={installationColumns}
                rows={results}
                rowKey={keyOf}
                filters={filters}
                firstSort={FIRST_INSTALLATION_SORT}
                panel={panelOf}
                stale={reading.stale}
              />
              <Pager
                label={t`Pages of installations`}
                {...{ offset, limit: LIMIT, count, exact }}
                onMove={(offset) => filters.set({ offset: offset ? String(offset) : '' })}
              />
            </>
          )
        }
      </Loaded>
    </>
  );
}

const totalText = ({ count, count_exact }: { count: number; count_exact: boolean }): string =>
  count_exact
    ? plural(count, { one: '# installation', other: '# installations' })
    : plural(count, { one: 'more than # installation', other: 'more than # installations' });

const keyOf = ({ id }: App) => id;

/** The rows contain all fields, so an app that is not on this page has no panel. */
const panelOf = (_key: string, app: App | undefined) =>
  app
    ? {
        title: app.name,
        page: pathTo('devices', app.device_id),
        content: <InstallationFacts app={app} />,
      }
    : { title: t`Installation`, content: <Empty title={t`It is not on this page of the list`} /> };

const InstallationFacts = ({ app }: { app: App }) => (
  <div className="stack">
    <Facts
      facts={[
        [t`Device`, app.hostname],
        [t`User`, app.user ?? NONE],
        [t`Kind`, kindNames[app.kind]],
        [t`Version`, app.version ?? NONE],
        [t`Installed`, app.present ? t`yes` : t`removed`],
        [t`First seen`, <Ago key="first" at={app.first_seen} />],
        [t`Last seen`, <Ago key="last" at={app.last_seen} />],
      ]}
    />
    <AppEvidence {...app} />
  </div>
);

interface InstallationsToolbarProps {
  filters: Filters;
  controls: ReactNode;
}

function InstallationsToolbar({ filters, controls }: InstallationsToolbarProps) {
  const field = fieldOf(filters);
  const { risk_flag, version, user } = installationFilterOf(filters);
  const present = filters.get('present') || undefined;
  const count = [risk_flag, version, user, present, rangeCount(filters)];
  return (
    <FilterToolbar
      more={
        <>
          <RiskSelect filters={filters} />
          <NameField label={t`User`} suggestions={[]} {...field('user')} />
          <NameField label={t`Version`} suggestions={[]} {...field('version')} />
          <Select
            label={t`Presence`}
            all={t`Installed`}
            options={[
              { id: 'false', name: t`Removed` },
              { id: 'any', name: t`Installed or removed` },
            ]}
            {...field('present')}
          />
          <AppTime filters={filters} />
        </>
      }
      count={count.filter((one) => one !== undefined).length}
      controls={controls}
    >
      <SearchField
        label={t`Search installations`}
        hint={t`Searches names of apps and hostnames`}
        {...field('search')}
      />
      <KindSelect filters={filters} />
      <NewSince filters={filters} />
    </FilterToolbar>
  );
}
