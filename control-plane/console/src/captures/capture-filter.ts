import type { CaptureFilter } from '../data/capture-sources.ts';
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

/** Oldest first, or the default. */
export const captureSortOf = ({ get }: Pick<Filters, 'get'>): Pick<CaptureFilter, 'sort'> =>
  get('sort') === 'started_at' ? { sort: 'started_at' } : {};

export const FIRST_CAPTURE_SORT = '-started_at';
