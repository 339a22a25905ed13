import type { FlowFilter } from '../data/flow-sources.ts';
import type { Filters } from '../use-filters.ts';

/** Filter from the URL, of one device or of all. */
export function flowFilterOf({ get }: Pick<Filters, 'get'>, device?: string): FlowFilter {
  const [from, process, host] = [device ?? get('device'), get('process'), get('host')];
  return {
    ...(from && { device: from }),
    ...(process && { process }),
    ...(host && { host }),
    ...(get('ai') && { known_host: 'true' as const }),
  };
}

/** Oldest first, or the default. */
export const flowSortOf = ({ get }: Pick<Filters, 'get'>): Pick<FlowFilter, 'sort'> =>
  get('sort') === 'started_at' ? { sort: 'started_at' } : {};

/** How flows are shown: each, in groups, or as a map of apps and hosts. */
export function groupingOf({ get }: Pick<Filters, 'get'>): '' | 'true' | 'map' {
  const grouping = get('grouped');
  return grouping === 'true' || grouping === 'map' ? grouping : '';
}
