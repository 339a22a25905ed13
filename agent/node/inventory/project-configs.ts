import type { McpConfigPlace } from '#domain/app-catalog/entry.ts';
import { mcpConfigPlaces } from '#domain/app-catalog/mcp-config-places.ts';
import { expand } from './expand.ts';
import { limited } from './limited.ts';
import type { Home, Scan } from './platform-paths/platform-paths.ts';

/** A file that may be an MCP configuration. */
export interface ConfigCandidate {
  path: string;
  place: McpConfigPlace;
}

/** The files of one pattern in one project: more than any project has. */
const MAX_FILES = 1000;

const wanted = mcpConfigPlaces.flatMap((place) =>
  (place.projectFiles ?? []).map((file) => {
    const [first = '', ...rest] = file.split('/');
    return { place, first, rest: rest.map((name) => `/${name}`).join('') };
  }),
);

const namesFor = (first: string, names: readonly string[]): readonly string[] =>
  names.filter((name) => (first.startsWith('*') ? name.endsWith(first.slice(1)) : name === first));

/** The files that may be MCP configurations in the projects of a home. */
export async function projectConfigs(scan: Scan, home: Home): Promise<ConfigCandidate[]> {
  const found: ConfigCandidate[] = [];
  for (const { path, names } of await scan.projects(home)) {
    scan.checkpoint();
    const at = { path: `${path}/`, of: 'MCP configurations' };
    for (const { place, first, rest } of wanted) {
      const files = namesFor(first, names).map((name) => `${path}/${name}${rest}`);
      const paths = rest.includes('*')
        ? (await Promise.all(files.map((file) => expand(scan.tree, file)))).flat()
        : files;
      for (const file of limited(scan, paths, MAX_FILES, at)) found.push({ path: file, place });
    }
  }
  return found;
}
