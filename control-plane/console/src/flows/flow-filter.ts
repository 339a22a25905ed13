import { flowSorts } from '#contract/flows.ts';
import type { FlowFilter } from '../data/flow-sources.ts';
import { sortOf } from '../lists/sort-order.ts';
import type { Filters } from '../use-filters.ts';

/** Filter from the URL, for one device or for all of them. */
export function flowFilterOf({ get }: Pick<Filters, 'get'>, device?: string): FlowFilter {
  const [from, process, host] = [device ?? get('device'), get('process'), get('host')];
  return {
    ...(from && { device: from }),
    ...(process && { process }),
    ...(host && { host }),
    ...(get('ai') && { known_host: 'true' as const }),
  };
}

export const FIRST_FLOW_SORT = '-started_at';

/** The order from the URL, or the default. */
export const flowSortOf = (filters: Pick<Filters, 'get'>): Pick<FlowFilter, 'sort'> =>
  sortOf(filters, flowSorts, FIRST_FLOW_SORT);

/** How flows are shown: as a list, in groups, or as a map of apps and hosts. */
export function groupingOf({ get }: Pick<Filters, 'get'>): '' | 'true' | 'map' {
  const grouping = get('grouped');
  return grouping === 'true' || grouping === 'map' ? grouping : '';
}
