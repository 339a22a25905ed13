import { captureSorts } from '#contract/captures.ts';
import type { CaptureFilter } from '../data/capture-sources.ts';
import { sortOf } from '../lists/sort-order.ts';
import type { Filters } from '../use-filters.ts';

const texts = ['device', 'host', 'app', 'model'] as const;
const outcomes = ['ok', 'failed', 'none'] as const;

/** Filter from the URL. Drops values that the service would reject: URLs can be edited by hand. */
export function captureFilterOf({ get }: Pick<Filters, 'get'>): CaptureFilter {
  const search = get('search').trim().slice(0, 1000);
  const outcome = outcomes.find((one) => one === get('outcome'));
  const named = texts.flatMap((name) => (get(name) ? [[name, get(name)]] : []));
  return {
    ...(Object.fromEntries(named) as CaptureFilter),
    ...(outcome && { outcome }),
    ...(search && { search }),
  };
}

export const FIRST_CAPTURE_SORT = '-started_at';

/** The order from the URL, or the default. */
export const captureSortOf = (filters: Pick<Filters, 'get'>): Pick<CaptureFilter, 'sort'> =>
  sortOf(filters, captureSorts, FIRST_CAPTURE_SORT);
