export interface Many<T> {
  results: T[];
  /** Total number of items; `results` may be a part of them. */
  count: number;
  /** False: there are at least `count`. */
  count_exact?: boolean;
  /** True: only the latest items are sorted. */
  incomplete?: boolean;
}

/** Maximum page size of the service. */
export const LONGEST_PAGE = 100;

interface RangeOptions<T> {
  /** Index of the first item; 0 by default. */
  from?: number;
  /** Index after the last item. */
  to: number;
  load: (paging: { limit: number; offset: number }) => Promise<Many<T>>;
  /** Key to remove duplicates with, for lists that can grow while they are loaded. */
  keyOf?: (item: T) => string;
}

/** Loads page by page, up to the end of the range or of the list. */
export async function loadMany<T>({
  from = 0,
  to,
  load,
  keyOf,
}: RangeOptions<T>): Promise<Many<T>> {
  const results: T[] = [];
  let [offset, count, exact, cut] = [from, 0, true, false];
  while (offset < to) {
    const page = await load({ limit: LONGEST_PAGE, offset });
    results.push(...page.results);
    offset += page.results.length;
    count = page.count;
    exact = page.count_exact ?? true;
    cut = page.incomplete ?? false;
    if (page.results.length === 0 || offset >= count) break;
  }
  const all = { results: keyOf ? distinct(results, keyOf) : results, count };
  return { ...all, ...(!exact && { count_exact: false }), ...(cut && { incomplete: true }) };
}

/** Removes duplicates: if a list grows at its head, the next page repeats an item. */
export const distinct = <T>(items: readonly T[], keyOf: (item: T) => string): T[] => [
  ...new Map(items.map((item) => [keyOf(item), item])).values(),
];

/** Key of a source: its name and everything that the response depends on. */
export const keyFor = (name: string, ...parts: unknown[]): string =>
  `${name} ${JSON.stringify(parts)}`;

/** Ids of flows and apps are unique per device only. */
export const deviceItemKey = ({ device_id, id }: { device_id: string; id: string }): string =>
  `${device_id} ${id}`;
