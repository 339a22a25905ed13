import type { AppReport } from '#contract/fleet.ts';
import { fairShare } from './fair-share.ts';

/** The control plane takes no more in one report. */
const maxApps = 5000;

const keys: readonly ((app: AppReport) => string)[] = [
  (app) => app.kind,
  (app) => app.user ?? '',
  (app) => app.catalog_id ?? '',
  (app) => app.path,
];

/**
 * As many as a report may have: many of one kind, person, tool or file do not hide the others.
 * `problems` says of which kind some are left out.
 */
export function withinLimit(
  found: readonly AppReport[],
  limit = maxApps,
): { apps: AppReport[]; problems: string[] } {
  const apps = fairShare(found, limit, keys);
  const reported = Map.groupBy(apps, (app) => app.kind);
  const problems = [...Map.groupBy(found, (app) => app.kind)].flatMap(([kind, all]) => {
    const count = reported.get(kind)?.length ?? 0;
    return count < all.length ? [`${kind}: ${all.length} found, ${count} reported`] : [];
  });
  return { apps, problems };
}
