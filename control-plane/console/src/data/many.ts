export interface Many<T> {
  results: T[];
  /** How many there are, of which `results` may be a part. */
  count: number;
  /** False: there are at least `count`. */
  count_exact?: boolean;
}

/** The longest page that the service answers. */
export const longestPage = 100;

interface Stretch<T> {
  /** Place of the first item; 0 unless said. */
  from?: number;
  /** Place behind the last item that is wanted. */
  to: number;
  load: (paging: { limit: number; offset: number }) => Promise<Many<T>>;
  /** Tells items apart in lists that can grow while they are read. */
  keyOf?: (item: T) => string;
}

/** Page by page, up to the end of the stretch or of the list. */
export async function loadMany<T>({ from = 0, to, load, keyOf }: Stretch<T>): Promise<Many<T>> {
  const results: T[] = [];
  let [offset, count, exact] = [from, 0, true];
  while (offset < to) {
    const page = await load({ limit: longestPage, offset });
    results.push(...page.results);
    offset += page.results.length;
    count = page.count;
    exact = page.count_exact ?? true;
    if (page.results.length === 0 || offset >= count) break;
  }
  const all = { results: keyOf ? distinct(results, keyOf) : results, count };
  return exact ? all : { ...all, count_exact: false };
}

/** A list that grows at its head while it is read shows an item again on the next page. */
export const distinct = <T>(items: readonly T[], keyOf: (item: T) => string): T[] => [
  ...new Map(items.map((item) => [keyOf(item), item])).values(),
];

/** A name and all that the answer depends on, as the key of a source. */
export const keyFor = (name: string, ...parts: unknown[]): string =>
  `${name} ${JSON.stringify(parts)}`;
