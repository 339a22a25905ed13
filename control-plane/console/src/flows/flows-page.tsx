import { t, plural } from '@lingui/core/macro';
import { useState } from 'react';
import { flowRoutes } from '#contract/flows.ts';
import { Page } from '../parts/page.tsx';
import { MAX_PAGE_SIZE } from '../data/load-pages.ts';
import { catalog } from '../data/guard-sources.ts';
import { flowCounts, flowList } from '../data/flow-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { CountHistogram } from '../lists/count-histogram.tsx';
import { ListActions } from '../lists/list-actions.tsx';
import { queryOf, timeRangeOf } from '../time-range.ts';
import { useFilters } from '../use-filters.ts';
import { flowFilterOf, flowSortOf, groupingOf } from './flow-filter.ts';
import { FlowMap } from './flow-map.tsx';
import { GroupedFlows } from './grouped-flows.tsx';
import { FLOW_LIST, flowColumns } from './flow-table.tsx';
import { FlowToolbar } from './flow-toolbar.tsx';
import { LiveFlows } from './live-flows.tsx';

export function FlowsPage() {
  return (
    <Page title={t`Flows`}>
      <FlowsList />
    </Page>
  );
}

/** Live flows of one device, or of all devices with a device filter. */
export function FlowsList({ device }: { device?: string }) {
  const filters = useFilters();
  const [paused, setPaused] = useState(false);
  const [limit, setLimit] = useState(MAX_PAGE_SIZE);
  const [filter, sort, range] = [
    flowFilterOf(filters, device),
    flowSortOf(filters),
    timeRangeOf(filters),
  ];
  const ofOneDevice = device !== undefined;
  const reading = useQuery(flowList({ ...filter, ...sort }, limit, range));
  const { data: counts } = useQuery(flowCounts(filter, range));
  const { data: hosts = [] } = useQuery(catalog());
  const grouping = groupingOf(filters);
  return (
    <>
      <FlowToolbar
        filters={filters}
        ofOneDevice={ofOneDevice}
        isLive={grouping === ''}
        paused={paused}
        onPause={setPaused}
        controls={
          <ListActions
            list={FLOW_LIST}
            columns={flowColumns(hosts, ofOneDevice)}
            count={reading.data?.count}
            path={flowRoutes.exportFlows.path}
            query={() => ({ ...filter, ...sort, ...queryOf(range, Date.now()) })}
          />
        }
      />
      <CountHistogram
        counts={counts}
        format={(count) => plural(count, { one: '# flow', other: '# flows' })}
        range={range}
        filters={filters}
      />
      {grouping === 'map' && (
        <FlowMap filter={filter} range={range} hosts={hosts} filters={filters} />
      )}
      {grouping === 'true' && (
        <GroupedFlows filter={filter} range={range} ofOneDevice={ofOneDevice} filters={filters} />
      )}
      {grouping === '' && (
        <LiveFlows
          key={JSON.stringify([filter, sort, range])}
          reading={reading}
          hosts={hosts}
          ofOneDevice={ofOneDevice}
          filters={filters}
          newestFirst={sort.sort === undefined}
          filtered={Object.keys({ ...flowFilterOf(filters), ...range }).length > 0}
          paused={paused}
          onResume={() => setPaused(false)}
          limit={limit}
          onMore={() => setLimit(limit + MAX_PAGE_SIZE)}
        />
      )}
    </>
  );
}
