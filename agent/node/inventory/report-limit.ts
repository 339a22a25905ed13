import type { AppReport, NotRead } from '#contract/fleet.ts';
import { fairShare } from './fair-share.ts';
import type { FoundApp } from './finding.ts';

/** The control plane takes no more in one report. */
const maxApps = 5000;

const keys: readonly ((found: FoundApp) => string)[] = [
  ({ app }) => app.kind,
  ({ app }) => app.user ?? '',
  ({ source }) => source,
  ({ app }) => app.catalog_id ?? '',
];

/** What makes an app the same in the next report. */
export const keyOfApp = ({ kind, name, catalog_id, path, user }: AppReport): string =>
  JSON.stringify([kind, catalog_id, name, path, user]);

interface Limit {
  limit?: number;
  /** What the report before had, by `keyOfApp`. */
  before?: ReadonlySet<string>;
}

/**
 * As many as a report may have: many of one kind, person, file or tool do not hide the others, and
 * what appears in a file does not hide what was reported of it before. `problems` says of which kind
 * some are left out, `leftOut` of which files.
 */
export function withinLimit(
  found: readonly FoundApp[],
  { limit = maxApps, before = new Set() }: Limit = {},
): { apps: AppReport[]; problems: string[]; leftOut: NotRead[] } {
  if (found.length <= limit)
    return { apps: found.map(({ app }) => app), problems: [], leftOut: [] };
  const wasReported = ({ app }: FoundApp) => Number(before.has(keyOfApp(app)));
  const known = found.toSorted((a, b) => wasReported(b) - wasReported(a));
  const kept = new Set(fairShare(known, limit, keys));
  const left = found.filter((one) => !kept.has(one));
  const problems = [...Map.groupBy(found, ({ app }) => app.kind)].flatMap(([kind, all]) => {
    const count = all.filter((one) => kept.has(one)).length;
    return count < all.length ? [`${kind}: ${all.length} found, ${count} reported`] : [];
  });
  const apps = found.filter((one) => kept.has(one)).map(({ app }) => app);
  return { apps, problems, leftOut: sourcesOf(left) };
}

/** More files of one kind are named together. */
const mostFiles = 100;

function sourcesOf(left: readonly FoundApp[]): NotRead[] {
  return [...Map.groupBy(left, ({ app }) => app.kind)].flatMap(([kind, of]) => {
    const sources = new Set(of.map(({ source }) => source.slice(0, 4096)));
    const paths = sources.size > mostFiles ? [null] : [...sources].toSorted();
    return paths.map((path) => ({ kind, path, reason: 'the report was full' }));
  });
}

const mostNotRead = 1000;

/** As many as a report takes, each once; if there are more, apps may be missing anywhere. */
export function boundNotRead(all: readonly NotRead[]): NotRead[] {
  const distinct = new Map(
    all.map(({ kind, path, reason }) => [
      JSON.stringify([kind, path]),
      { kind, path: path && path.slice(0, 4096), reason: reason.slice(0, 500).toWellFormed() },
    ]),
  );
  if (distinct.size > mostNotRead)
    return [{ kind: null, path: null, reason: `more than ${mostNotRead} files were not read` }];
  return [...distinct].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
}
