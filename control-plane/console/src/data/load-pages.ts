export interface LoadedList<T> {
  results: T[];
  /** Total number of items; `results` may contain only some of them. */
  count: number;
  /** False if `count` is only a lower bound. */
  count_exact?: boolean;
  /** True if only the latest items are sorted. */
  incomplete?: boolean;
}

/** Maximum page size that the service accepts. */
export const MAX_PAGE_SIZE = 100;

interface RangeOptions<T> {
  /** Index of the first item; 0 by default. */
  from?: number;
  /** Index after the last item. */
  to: number;
  load: (paging: { limit: number; offset: number }) => Promise<LoadedList<T>>;
  /** Returns the key for removing duplicates, for lists that can grow during loading. */
  keyOf?: (item: T) => string;
}

/** Loads page after page, up to the end of the range or of the list. */
export async function loadPages<T>({
  from = 0,
  to,
  load,
  keyOf,
}: RangeOptions<T>): Promise<LoadedList<T>> {
  const results: T[] = [];
  let [offset, count, exact, cut] = [from, 0, true, false];
  while (offset < to) {
    const page = await load({ limit: MAX_PAGE_SIZE, offset });
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

/** Removes duplicates: if the list grows at its start, the next page repeats an item. */
export const distinct = <T>(items: readonly T[], keyOf: (item: T) => string): T[] => [
  ...new Map(items.map((item) => [keyOf(item), item])).values(),
];

/** Key of a source: its name and everything that the response depends on. */
export const keyFor = (name: string, ...parts: unknown[]): string =>
  `${name} ${JSON.stringify(parts)}`;

/** Key of a flow or app, whose ids are unique per device only. */
export const deviceItemKey = ({ device_id, id }: { device_id: string; id: string }): string =>
  `${device_id} ${id}`;
