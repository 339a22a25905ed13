import { mcpConfigPlaces } from '#agent/core/app-catalog/mcp-config-places.ts';
import type { McpConfigPlace } from '#agent/core/app-catalog/entry.ts';
import type { Home, Scan } from './places/places.ts';

export interface ProjectConfig {
  path: string;
  place: McpConfigPlace;
}

const maxDepth = 6;
const maxFolders = 20_000;

/** Folders that hold other people's code or nothing but products of a build. */
const skipped = new Set([
  'node_modules',
  'bower_components',
  'vendor',
  'venv',
  'site-packages',
  '__pycache__',
  'target',
  'Caches',
  'Cache',
  'DerivedData',
  'Pods',
  'lost+found',
]);

const wanted = mcpConfigPlaces.flatMap((place) =>
  (place.projectFiles ?? []).map((file) => ({ file, first: file.split('/')[0] ?? file, place })),
);

/**
 * Configurations that projects in a home bring along. The search is bounded in depth and in the
 * number of folders, does not follow links, does not leave the file system of the home, and passes
 * by hidden folders.
 */
export async function findProjectConfigs(scan: Scan, home: Home): Promise<ProjectConfig[]> {
  const start = await scan.tree.resolve(home.dir);
  const device = start && (await scan.tree.stat(start))?.dev;
  if (!start || device === undefined) return [];
  const ignored = new Set(await scan.places.skippedFolders(scan.tree, home));
  const found: ProjectConfig[] = [];
  let level = [start];
  let folders = 0;
  for (let depth = 0; depth <= maxDepth && level.length > 0; depth++) {
    const next: string[] = [];
    for (const dir of level) {
      scan.checkpoint();
      if (++folders > maxFolders) {
        scan.problem(`${home.dir}: more than ${maxFolders} folders, the rest was not searched`);
        return found;
      }
      const items = await scan.tree.list(dir);
      const names = new Set(items.map((item) => item.name));
      for (const { file, first, place } of wanted) {
        if (names.has(first)) found.push({ path: `${dir}/${file}`, place });
      }
      const children = items
        .filter((item) => item.kind === 'directory' && !item.name.startsWith('.'))
        .filter((item) => !skipped.has(item.name) && !(depth === 0 && ignored.has(item.name)))
        .map((item) => `${dir === '/' ? '' : dir}/${item.name}`);
      for (const child of children) {
        if ((await scan.tree.stat(child))?.dev === device) next.push(child);
      }
    }
    level = next;
  }
  return found;
}
