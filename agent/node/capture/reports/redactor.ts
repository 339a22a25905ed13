import type { OwnRules } from '#contract/settings.ts';
import { builtinDetectors } from '#domain/redaction/builtin.ts';
import type { Detector } from '#domain/redaction/detector.ts';
import { memberRules } from '#domain/redaction/member-rules.ts';
import { compilePatterns } from '#domain/redaction/patterns/pattern.ts';
import { patternDetectors } from '#domain/redaction/patterns/pattern-detectors.ts';
import { createJsonRedactor, type RedactionRules } from '#domain/redaction/redact-json.ts';
import { detached } from '#lib/detached.ts';
import { LruMap } from '#lib/lru-map.ts';

export type RedactedField = 'path' | 'request_body' | 'response_body';

export interface Redactor {
  /**
   * Redacts one field of a report like the control plane does, and adds the findings to `counts`.
   *
   * @throws Error if a pattern took too long
   */
  redact: (field: RedactedField, text: string, counts: Record<string, number>) => string;
  /** Returns the path of a request's target, without its query. */
  pathOf: (target: string) => string;
}

const UNUSABLE_PATTERN =
  'a masking pattern cannot be used on this device: only metadata is reported';
const SLOW_PATTERN = 'a masking pattern took too long: only metadata was reported';

/** Returns the message if it may be reported. Other messages may quote captured content. */
export const patternProblem = (error: unknown): string | null =>
  [UNUSABLE_PATTERN, SLOW_PATTERN].find((line) => (error as Error).message === line) ?? null;

export const noTenantRules: OwnRules = { keys: [], patterns: [] };

const MAX_PATH_LENGTH = 2048;

/** Truncates a path, but never within a placeholder. */
const truncatePath = (path: string): string =>
  path.length <= MAX_PATH_LENGTH
    ? path
    : path.slice(0, path.lastIndexOf('/', MAX_PATH_LENGTH - 1) + 1);

/** Also encoded, as by a client that encodes a whole URL as its path. */
const startOfQuery = /[?#]|%3f/i;

/** The maximum number of cached paths: an application requests few distinct ones. */
const MAX_CACHED_PATHS = 100;

/**
 * Redacts with the built-in types and the tenant's rules.
 *
 * @throws Error if one of the tenant's patterns is invalid: no text may then count as redacted
 */
export function createRedactor(tenantRules: OwnRules): Redactor {
  const redactJson = createJsonRedactor(rulesOf(tenantRules));
  const cleanPaths = new LruMap<string, true>(MAX_CACHED_PATHS);

  const redact: Redactor['redact'] = (field, text, counts) => {
    const { value, counts: found } = redactJson({ [field]: text });
    for (const [type, count] of Object.entries(found)) counts[type] = (counts[type] ?? 0) + count;
    return value[field] ?? '';
  };

  const pathOf = (target: string): string => {
    const end = target.search(startOfQuery);
    const path = end === -1 ? target : target.slice(0, end);
    if (cleanPaths.peek(path)) return path;
    const redacted = path.startsWith('/') ? truncatePath(redact('path', path, {})) : '/';
    if (redacted === path) cleanPaths.set(detached(path), true);
    return redacted;
  };

  return { redact, pathOf };
}

/** Creates a redactor from rules as JSON, and caches it while the rules stay the same. */
export function createRedactors(): (tenantRules: string) => Redactor {
  let cached: { tenantRules: string; redactor: Redactor } | null = null;
  return (tenantRules) => {
    if (cached?.tenantRules !== tenantRules)
      cached = { tenantRules, redactor: createRedactor(JSON.parse(tenantRules) as OwnRules) };
    return cached.redactor;
  };
}

function rulesOf({ keys, patterns }: OwnRules): RedactionRules {
  const { usable, refused } = compilePatterns(patterns);
  if (refused.length > 0) throw new Error(UNUSABLE_PATTERN);
  const clocks = { now: () => performance.now(), used: threadCpuMs };
  const tenantDetectors = patternDetectors(usable, { ...clocks, onTimeout: throwTooSlow });
  warmUp(tenantDetectors);
  return { detectors: [...builtinDetectors(), ...tenantDetectors], keys: memberRules(keys) };
}

/** All printable ASCII characters. */
const printableAscii = String.fromCharCode(...Array.from({ length: 95 }, (_, i) => 32 + i));

/** Runs each pattern once: its first search is slower, which must not count against a real text. */
function warmUp(detectors: readonly Detector[]): void {
  try {
    for (const detector of detectors) detector.find(printableAscii);
  } catch {
    // A single slow search is tolerated: a detector is dropped after three in a row.
  }
}

function throwTooSlow(): never {
  throw new Error(SLOW_PATTERN);
}

/**
 * Returns the CPU time of this thread. Elapsed time would include waiting, because the thread has a
 * low priority.
 */
function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
