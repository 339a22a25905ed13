import type { AppReport, NotRead } from '#contract/inventory.ts';
import type { FoundApp } from './finding.ts';

/**
 * Distributes `limit` evenly over groups of these sizes. Shares that small groups do not need go to
 * larger ones.
 */
function distributeLimit(sizes: readonly number[], limit: number): number[] {
  const given = sizes.map(() => 0);
  let left = limit;
  for (let open = sizes.map((_, i) => i); open.length > 0 && left > 0;) {
    const each = Math.max(1, Math.floor(left / open.length));
    for (const i of open) {
      const more = Math.min(each, left, (sizes[i] ?? 0) - (given[i] ?? 0));
      given[i] = (given[i] ?? 0) + more;
      left -= more;
    }
    open = open.filter((i) => (given[i] ?? 0) < (sizes[i] ?? 0));
  }
  return given;
}

/**
 * Returns at most `limit` of the items, in their order. The limit is shared evenly by the first
 * key, within each group by the second, and so on, so that a large group does not displace others.
 * Within the last groups the first items are kept.
 */
export function fairShare<Item>(
  items: readonly Item[],
  limit: number,
  [key, ...keys]: readonly ((item: Item) => string)[],
): Item[] {
  if (items.length <= limit) return [...items];
  if (!key) return items.slice(0, limit);
  const groups = [...Map.groupBy(items, key).values()];
  const given = distributeLimit(
    groups.map((group) => group.length),
    limit,
  );
  const kept = new Set(groups.flatMap((group, i) => fairShare(group, given[i] ?? 0, keys)));
  return items.filter((item) => kept.has(item));
}

/** The limit of the control plane for one report. */
const MAX_APPS = 5000;

const keys: readonly ((found: FoundApp) => string)[] = [
  ({ app }) => app.kind,
  ({ app }) => app.user ?? '',
  ({ source }) => source,
  ({ app }) => app.catalog_id ?? '',
];

/** Identifies an app across reports. */
export const keyOfApp = ({ kind, name, catalog_id, path, user }: AppReport): string =>
  JSON.stringify([kind, catalog_id, name, path, user]);

interface Limit {
  limit?: number;
  /** The apps of the previous report, by `keyOfApp`. */
  before?: ReadonlySet<string>;
}

/**
 * Limits the apps of a report fairly by kind, user, file and tool, and prefers apps that were
 * reported before. `problems` lists the kinds with omitted apps, `excluded` the files.
 */
export function limitApps(
  found: readonly FoundApp[],
  { limit = MAX_APPS, before = new Set() }: Limit = {},
): { apps: AppReport[]; problems: string[]; excluded: NotRead[] } {
  if (found.length <= limit)
    return { apps: found.map(({ app }) => app), problems: [], excluded: [] };
  const wasReported = ({ app }: FoundApp) => Number(before.has(keyOfApp(app)));
  const known = found.toSorted((a, b) => wasReported(b) - wasReported(a));
  const kept = new Set(fairShare(known, limit, keys));
  const left = found.filter((one) => !kept.has(one));
  const problems = [...Map.groupBy(found, ({ app }) => app.kind)].flatMap(([kind, all]) => {
    const count = all.filter((one) => kept.has(one)).length;
    return count < all.length ? [`${kind}: ${all.length} found, ${count} reported`] : [];
  });
  const apps = found.filter((one) => kept.has(one)).map(({ app }) => app);
  return { apps, problems, excluded: sourcesOf(left) };
}

/** The number of files of one kind above which they are summarized. */
const MAX_FILES = 100;

function sourcesOf(left: readonly FoundApp[]): NotRead[] {
  return [...Map.groupBy(left, ({ app }) => app.kind)].flatMap(([kind, of]) => {
    const sources = new Set(of.map(({ source }) => source.slice(0, 4096)));
    const paths = sources.size > MAX_FILES ? [null] : [...sources].toSorted();
    return paths.map((path) => ({ kind, path, reason: 'the report was full' }));
  });
}

const MAX_NOT_READ = 1000;

/**
 * Returns the distinct entries, up to the limit of a report. If there are more, apps may be missing
 * anywhere.
 */
export function limitNotRead(all: readonly NotRead[]): NotRead[] {
  const distinct = new Map(
    all.map(({ kind, path, reason }) => [
      JSON.stringify([kind, path]),
      { kind, path: path && path.slice(0, 4096), reason: reason.slice(0, 500).toWellFormed() },
    ]),
  );
  if (distinct.size > MAX_NOT_READ)
    return [{ kind: null, path: null, reason: `more than ${MAX_NOT_READ} files were not read` }];
  return [...distinct].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
}
