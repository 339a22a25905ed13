import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { inventoryRoutes } from '#contract/inventory.ts';
import {
  appGroupCounts,
  appGroupDetail,
  appGroupList,
  boundsOf,
} from '../data/inventory-sources.ts';
import type { AppGroup } from '../data/inventory-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { CountHistogram } from '../lists/count-histogram.tsx';
import { ListActions } from '../lists/list-actions.tsx';
import { shownTimeOf } from '../lists/list-times.ts';
import { ListTable } from '../lists/list-table.tsx';
import { Empty, Loaded } from '../parts/notice.tsx';
import { Pager } from '../parts/page.tsx';
import { pathTo } from '../path-id.ts';
import { offsetOf } from '../use-filters.ts';
import type { Filters } from '../use-filters.ts';
import { AboutApp } from './about-app.tsx';
import { appGroupColumns } from './app-group-columns.tsx';
import { appGroupFilterOf, AppGroupsToolbar, FIRST_GROUP_SORT } from './app-groups-toolbar.tsx';
import { appRangesOf, appTimes } from './inventory-fields.tsx';

const LIST = 'apps';
const LIMIT = 50;

/** Table of the apps of the fleet, with one row per app. */
export function AppGroupsList({ filters }: { filters: Filters }) {
  const offset = offsetOf(filters);
  const [filter, ranges] = [appGroupFilterOf(filters), appRangesOf(filters)];
  const reading = useQuery(appGroupList({ limit: LIMIT, offset, ...filter }, ranges));
  const by = shownTimeOf(filters, appTimes);
  const { data: counts } = useQuery(appGroupCounts({ ...filter, by }, ranges));
  return (
    <>
      <AppGroupsToolbar
        filters={filters}
        controls={
          <ListActions
            list={LIST}
            columns={appGroupColumns}
            count={reading.data?.count}
            total={reading.data && plural(reading.data.count, { one: '# app', other: '# apps' })}
            path={inventoryRoutes.exportAppGroups.path}
            query={() => ({ ...filter, ...boundsOf(ranges) })}
          />
        }
      />
      <CountHistogram
        counts={counts}
        format={(count) => plural(count, { one: '# app', other: '# apps' })}
        times={appTimes}
        range={ranges.range}
        filters={filters}
      />
      <Loaded reading={reading}>
        {({ results, count }) =>
          count === 0 ? (
            <Empty title={t`No app matches these filters`}>
              <p>
                <Trans>Agents report the AI apps of their devices at regular intervals.</Trans>
              </p>
            </Empty>
          ) : (
            <>
              <ListTable
                list={LIST}
                label={t`Apps`}
                columns={appGroupColumns}
                rows={results}
                rowKey={({ id }) => id}
                filters={filters}
                firstSort={FIRST_GROUP_SORT}
                panel={panelOf}
                stale={reading.stale}
              />
              <Pager
                label={t`Pages of apps`}
                {...{ offset, limit: LIMIT, count }}
                onMove={(offset) => filters.set({ offset: offset ? String(offset) : '' })}
              />
            </>
          )
        }
      </Loaded>
    </>
  );
}

const panelOf = (id: string, group: AppGroup | undefined) => ({
  title: group?.name ?? t`App`,
  page: pathTo('apps', id),
  content: <AppPanel key={id} id={id} />,
});

/** Side panel of an app. */
function AppPanel({ id }: { id: string }) {
  const reading = useQuery(appGroupDetail(id));
  const shown = reading.data?.id === id ? reading : { ...reading, data: undefined };
  return <Loaded reading={shown}>{(group) => <AboutApp group={group} />}</Loaded>;
}
