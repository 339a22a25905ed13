import { appCatalog } from '#domain/app-catalog/catalog.ts';
import type { CatalogEntry } from '#domain/app-catalog/entry.ts';

const any = <T>(list: readonly T[] | undefined): readonly T[] => list ?? [];

/** Distribution names are compared with runs of `-`, `_` and `.` taken as one. */
const normalized = (name: string) => name.toLowerCase().replaceAll(/[-_.]+/g, '-');

/** The first entry that claims a name has it: the tools of the terminal stand before the servers. */
function indexBy(namesOf: (entry: CatalogEntry) => readonly string[]): Map<string, CatalogEntry> {
  const index = new Map<string, CatalogEntry>();
  for (const entry of appCatalog)
    for (const name of namesOf(entry)) if (!index.has(name)) index.set(name, entry);

  return index;
}

const byNpmName = indexBy((entry) => {
  if (entry.kind === 'cli') return any(entry.npm);
  return entry.kind === 'mcp_server' ? any(entry.packages) : [];
});

const distributionsOf = (entry: CatalogEntry): readonly string[] => {
  if (entry.kind === 'cli') return any(entry.pypi).map(normalized);
  const packages = entry.kind === 'mcp_server' ? any(entry.packages) : [];
  return packages.filter((name) => !/[/@]/.test(name)).map(normalized);
};

const byDistribution = indexBy(distributionsOf);

/** The programs and modules of a distribution, derived from its name and the catalog. */
const startsOf = (entry: CatalogEntry): string[] => [
  ...(entry.kind === 'cli' ? entry.binaries.map(normalized) : []),
  ...distributionsOf(entry),
];

/** By the name of a program or a module, the Python distributions that may have brought it. */
const distributionsByStart = new Map<string, Set<string>>();
for (const entry of appCatalog) {
  const distributions = distributionsOf(entry);
  for (const start of distributions.length > 0 ? startsOf(entry) : []) {
    const known = distributionsByStart.get(start) ?? new Set();
    distributionsByStart.set(start, new Set([...known, ...distributions]));
  }
}

/**
 * Which of the folders `<distribution>-<version>.dist-info` beside a Python program of this name
 * (or a module: its first part) confirms where it comes from. Without such a name: none does.
 */
export function distributionMatcher(start: string): ((folder: string) => boolean) | undefined {
  const distributions = distributionsByStart.get(normalized(start));
  if (!distributions) return undefined;
  return (folder) => {
    const name = distributionIn(folder);
    return name !== undefined && distributions.has(name);
  };
}

const programs = new Set(
  appCatalog.flatMap((entry) => (entry.kind === 'cli' ? entry.binaries : [])),
);

/** Is a tool of the catalog started by this name? By itself that says nothing. */
export const isToolName = (name: string): boolean => programs.has(name);

const distributionIn = (folder: string): string | undefined => {
  const name = /^(.+?)-\d[^-]*\.dist-info$/.exec(folder)?.[1];
  return name === undefined ? undefined : normalized(name);
};

const lastPart = (path: string) => path.slice(path.lastIndexOf('/') + 1);

/**
 * The package that a script belongs to is the innermost one: what a tool depends on is not the tool.
 */
function npmNameIn(script: string): string | undefined {
  if (script.startsWith('npm:')) return script.slice(4);
  const folder = '/node_modules/';
  const at = script.lastIndexOf(folder);
  if (at < 0) return undefined;
  return /^(?:@[^/]+\/)?[^/]+(?=\/)/.exec(script.slice(at + folder.length))?.[0];
}

/** pipx and uv keep each tool in an environment of its own, under the name of its distribution. */
function ownEnvironment(script: string): CatalogEntry | undefined {
  const [, name, program] =
    /\/(?:pipx\/venvs|uv\/tools)\/([^/]+)\/bin\/([^/]+)$/.exec(script) ?? [];
  const entry = name === undefined ? undefined : byDistribution.get(normalized(name));
  return entry && program && startsOf(entry).includes(normalized(program)) ? entry : undefined;
}

/** The npm package or Python distribution of a script, derived from its path. */
export const packageOfScript = (script: string): string | undefined =>
  npmNameIn(script) ?? distributionIn(lastPart(script));

/**
 * The catalog id of what an interpreter runs. `script` is the real path of the script, `npm:<name>`,
 * or the `.dist-info` folder of the Python distribution that the program comes from. Null: a script
 * of some other package.
 */
export function appOfScript(script: string): string | null | undefined {
  const npmName = npmNameIn(script);
  if (npmName !== undefined) return byNpmName.get(npmName)?.id ?? null;
  const distribution = distributionIn(lastPart(script));
  if (distribution !== undefined) return byDistribution.get(distribution)?.id ?? null;
  return ownEnvironment(script)?.id;
}
