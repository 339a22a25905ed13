import { mcpConfigPlaces } from '#agent/core/app-catalog/mcp-config-places.ts';
import type { McpConfigPlace } from '#agent/core/app-catalog/entry.ts';
import type { Home, Scan } from './places/places.ts';

export interface ProjectConfig {
  path: string;
  place: McpConfigPlace;
}

const wanted = mcpConfigPlaces.flatMap((place) =>
  (place.projectFiles ?? []).map((file) => ({ file, first: file.split('/')[0] ?? file, place })),
);

/** Configurations that projects in a home bring along. */
export async function findProjectConfigs(scan: Scan, home: Home): Promise<ProjectConfig[]> {
  const folders = await scan.projects(home);
  return folders.flatMap(({ path, names }) =>
    wanted
      .filter(({ first }) => names.includes(first))
      .map(({ file, place }) => ({ path: `${path}/${file}`, place })),
  );
}
