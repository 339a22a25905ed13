import { type ProcessRule, processRules } from '#domain/app-catalog/process-rules.ts';
import { LruMap } from '#lib/lru-map.ts';
import { appOfScript } from './app-of-script.ts';

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
  const apps = processRules
    .filter((rule) => matchesRule(rule, names, path))
    .toSorted(moreSpecific)
    .map(({ id }) => id);
  matchCache.set(key, apps);
  return apps;
}

const appAt = (path: string, names: readonly (string | null)[]): string | undefined =>
  appsAt(path, names)[0];
