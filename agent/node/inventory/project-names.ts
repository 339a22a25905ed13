import { loadedProjectFiles } from '#agent/core/app-catalog/loaded-places.ts';
import { mcpConfigPlaces } from '#agent/core/app-catalog/mcp-config-places.ts';

const firstOf = (file: string) => file.split('/', 1)[0] ?? file;

/**
 * Names that say that a folder is a project with something to look at. A search of a home notes
 * these alone, so what a detector looks for in projects has to be among them.
 */
export const projectNames: ReadonlySet<string> = new Set(
  [...mcpConfigPlaces.flatMap((place) => place.projectFiles ?? []), ...loadedProjectFiles].map(
    firstOf,
  ),
);
