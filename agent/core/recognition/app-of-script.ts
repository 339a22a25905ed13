import { appCatalog } from '#domain/app-catalog/catalog.ts';
import type { CatalogEntry } from '#domain/app-catalog/entry.ts';

const orEmpty = <T>(list: readonly T[] | undefined): readonly T[] => list ?? [];

/** Normalizes a distribution name: runs of `-`, `_` and `.` are equivalent. */
export const normalizedDistribution = (name: string) =>
  name.toLowerCase().replaceAll(/[-_.]+/g, '-');

/** The first entry with a name wins: terminal tools precede servers. */
function indexBy(namesOf: (entry: CatalogEntry) => readonly string[]): Map<string, CatalogEntry> {
  const index = new Map<string, CatalogEntry>();
  for (const entry of appCatalog)
    for (const name of namesOf(entry)) if (!index.has(name)) index.set(name, entry);

  return index;
}

const byNpmName = indexBy((entry) => {
  if (entry.kind === 'cli') return orEmpty(entry.npm);
  return entry.kind === 'mcp_server' ? orEmpty(entry.packages) : [];
});

const distributionsOf = (entry: CatalogEntry): readonly string[] => {
  if (entry.kind === 'cli') return orEmpty(entry.pypi).map(normalizedDistribution);
  const packages = entry.kind === 'mcp_server' ? orEmpty(entry.packages) : [];
  return packages.filter((name) => !/[/@]/.test(name)).map(normalizedDistribution);
};

const byDistribution = indexBy(distributionsOf);

/** The programs and modules of a distribution, derived from its name and the catalog. */
const programNamesOf = (entry: CatalogEntry): string[] => [
  ...(entry.kind === 'cli' ? entry.binaries.map(normalizedDistribution) : []),
  ...distributionsOf(entry),
];

/** The Python distributions that may provide a program or module, by its name. */
const distributionsByProgram = new Map<string, Set<string>>();
for (const entry of appCatalog) {
  const distributions = distributionsOf(entry);
  for (const start of distributions.length > 0 ? programNamesOf(entry) : []) {
    const known = distributionsByProgram.get(start) ?? new Set();
    distributionsByProgram.set(start, new Set([...known, ...distributions]));
  }
}

/**
 * A test for folders `<distribution>-<version>.dist-info` next to a Python program of this name (or
 * a module: its first part) that confirm its distribution. Undefined if no distribution has the
 * name.
 */
export function distributionMatcher(start: string): ((folder: string) => boolean) | undefined {
  const distributions = distributionsByProgram.get(normalizedDistribution(start));
  if (!distributions) return undefined;
  return (folder) => {
    const name = distributionIn(folder);
    return name !== undefined && distributions.has(name);
  };
}

const programs = new Set(
  appCatalog.flatMap((entry) => (entry.kind === 'cli' ? entry.binaries : [])),
);

/** Whether a tool of the catalog has this program name. Not sufficient by itself. */
export const isToolName = (name: string): boolean => programs.has(name);

const distributionIn = (folder: string): string | undefined => {
  const name = /^(.+?)-\d[^-]*\.dist-info$/.exec(folder)?.[1];
  return name === undefined ? undefined : normalizedDistribution(name);
};

const lastPart = (path: string) => path.slice(path.lastIndexOf('/') + 1);

/** A script belongs to the innermost package, because a tool's dependency is not the tool. */
function npmNameIn(script: string): string | undefined {
  if (script.startsWith('npm:')) return script.slice(4);
  const folder = '/node_modules/';
  const at = script.lastIndexOf(folder);
  if (at < 0) return undefined;
  return /^(?:@[^/]+\/)?[^/]+(?=\/)/.exec(script.slice(at + folder.length))?.[0];
}

/** pipx and uv install each tool in its own environment, named after its distribution. */
function toolOfEnvironment(script: string): CatalogEntry | undefined {
  const [, name, program] =
    /\/(?:pipx\/venvs|uv\/tools)\/([^/]+)\/bin\/([^/]+)$/.exec(script) ?? [];
  const entry = name === undefined ? undefined : byDistribution.get(normalizedDistribution(name));
  return entry && program && programNamesOf(entry).includes(normalizedDistribution(program))
    ? entry
    : undefined;
}

/** The npm package or Python distribution of a script, derived from its path. */
export const packageOfScript = (script: string): string | undefined =>
  npmNameIn(script) ?? distributionIn(lastPart(script));

/**
 * The catalog id of an interpreter's script. `script` is its real path, `npm:<name>`, or the
 * `.dist-info` folder of its Python distribution. Null: a script of another package.
 */
export function appOfScript(script: string): string | null | undefined {
  const npmName = npmNameIn(script);
  if (npmName !== undefined) return byNpmName.get(npmName)?.id ?? null;
  const distribution = distributionIn(lastPart(script));
  if (distribution !== undefined) return byDistribution.get(distribution)?.id ?? null;
  return toolOfEnvironment(script)?.id;
}
