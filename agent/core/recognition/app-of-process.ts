import { appCatalog } from '#domain/app-catalog/catalog.ts';
import type { CatalogEntry } from '#domain/app-catalog/entry.ts';
import { LruMap } from '#lib/lru-map.ts';
import { appOfScript } from './app-of-script.ts';

interface ProcessRule {
  id: string;
  /** A part of the path or the whole path. Without `names`, the path alone is sufficient. */
  pattern: string;
  names?: readonly string[];
}

const orEmpty = <T>(rules: readonly T[] | undefined): readonly T[] => rules ?? [];

/** Operating system names that occur in npm package names. */
const systems = ['darwin', 'linux', 'linuxmusl'];

/** Any home may contain `~/x/`, so only the part after the tilde must occur. */
const pathSuffix = (dir: string) => (dir.startsWith('~') ? dir.slice(1) : dir);

function patternsOf(entry: CatalogEntry): string[] {
  switch (entry.kind) {
    case 'desktop_app':
      return [
        ...orEmpty(entry.darwin?.appNames).map((name) => `/Applications/${name}.app/Contents/`),
        ...orEmpty(entry.linux?.installDirs).map(pathSuffix),
      ];
    case 'cli':
      return [
        ...orEmpty(entry.npm).map((name) => `/node_modules/${name}/`),
        ...orEmpty(entry.npmNative ?? entry.npm).flatMap((name) =>
          systems.map((system) => `/node_modules/${name}-${system}-`),
        ),
        ...orEmpty(entry.brew).flatMap((name) => [`/Cellar/${name}/`, `/Caskroom/${name}/`]),
        ...orEmpty(entry.casks).map((name) => `/Caskroom/${name}/`),
        ...orEmpty(entry.installDirs).map(pathSuffix),
      ];
    case 'editor_extension':
      return orEmpty(entry.vscode).map((id) => `/extensions/${id}-`);
    case 'local_model_server':
      return [...orEmpty(entry.paths)];
    case 'mcp_server':
      return orEmpty(entry.packages).map((name) => `/node_modules/${name}/`);
  }
}

const namedRules = (entry: CatalogEntry): ProcessRule[] => {
  if (entry.kind !== 'local_model_server') return [];
  const names = [...orEmpty(entry.executables), ...orEmpty(entry.commonNames)];
  return orEmpty(entry.parts).map((pattern) => ({ id: entry.id, pattern, names }));
};

const rules: readonly ProcessRule[] = appCatalog.flatMap((entry) => [
  ...patternsOf(entry).map((pattern) => ({ id: entry.id, pattern })),
  ...namedRules(entry),
]);

const MAX_CACHED_PROGRAMS = 500;

/** Linux truncates process names to this many bytes (TASK_COMM_LEN without the NUL). */
const MAX_KERNEL_NAME_BYTES = 15;

const encoder = new TextEncoder();

/** Whether a process of the program has this name. */
export function isProcessName(name: string, program: string): boolean {
  if (!program.startsWith(name)) return false;
  return name.length === program.length || encoder.encode(name).length === MAX_KERNEL_NAME_BYTES;
}

function matchesRule(rule: ProcessRule, names: readonly (string | null)[], path: string): boolean {
  const isNamed = (program: string) => names.some((name) => name && isProcessName(name, program));
  if (rule.names && !rule.names.some(isNamed)) return false;
  const isPart = rule.pattern.endsWith('/') || rule.pattern.endsWith('-');
  return isPart ? path.includes(rule.pattern) : path === rule.pattern;
}

/** The most specific rule wins: the longer path part, then a rule that also requires a name. */
const moreSpecific = (a: ProcessRule, b: ProcessRule) =>
  b.pattern.length - a.pattern.length ||
  (b.names?.length ?? 0) - (a.names?.length ?? 0) ||
  (a.id < b.id ? -1 : 1);

/** Facts that identify a running process. */
export interface ProcessFacts {
  name: string | null;
  path: string | null;
  /** The script of an interpreter; see `appOfScript`. */
  script?: string | null;
}

/**
 * The catalog id of a running process: by its script, by its executable's path, or by its name with
 * a part of that path. The name alone is not sufficient, because any user may call a program
 * `claude`. A script takes precedence over the path, because a product may run other scripts on its
 * own interpreter.
 */
export function appOfProcess({ name, path, script }: ProcessFacts): string | undefined {
  if (!path) return undefined;
  // A process may rename itself (Node's main thread does); its executable keeps the name.
  const names = [name, lastPart(path)];
  const ofScript = script ? appOfScript(script) : undefined;
  if (ofScript) return ofScript;
  return (script && ofScript === undefined && appAt(script, [])) || appAt(path, names);
}

/** The catalog ids whose rules match the program's name and path, the most specific first. */
export const appsAtPath = ({ name, path }: ProcessFacts): readonly string[] =>
  path === null ? [] : appsAt(path, [name, lastPart(path)]);

const lastPart = (path: string) => path.slice(path.lastIndexOf('/') + 1);

/** A cache: each poll sees the same programs, and there are more than a thousand rules. */
const matchCache = new LruMap<string, readonly string[]>(MAX_CACHED_PROGRAMS);

function appsAt(path: string, names: readonly (string | null)[]): readonly string[] {
  const key = `${path}\0${names.join('\0')}`;
  const before = matchCache.get(key);
  if (before) return before;
  const apps = rules
    .filter((rule) => matchesRule(rule, names, path))
    .toSorted(moreSpecific)
    .map(({ id }) => id);
  matchCache.set(key, apps);
  return apps;
}

const appAt = (path: string, names: readonly (string | null)[]): string | undefined =>
  appsAt(path, names)[0];
