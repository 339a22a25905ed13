import { builtinDetectors } from '#agent/core/redaction/builtin.ts';
import type { Detector } from '#agent/core/redaction/detector.ts';
import { keyRules } from '#agent/core/redaction/key-rules.ts';
import { compilePatterns } from '#agent/core/redaction/patterns/compiled-patterns.ts';
import { patternDetectors } from '#agent/core/redaction/patterns/pattern-detectors.ts';
import { redactJson, type RedactionRules } from '#agent/core/redaction/redact-json.ts';
import type { OwnRules } from '#contract/settings.ts';

export type RedactedField = 'path' | 'request_body' | 'response_body';

export interface Redactor {
  /**
   * One field of a report, under its name, as the control plane masks it. What was found is added to
   * `counts`. Throws if a pattern took too long.
   */
  redact: (field: RedactedField, text: string, counts: Record<string, number>) => string;
  /** The path of a request's target, without its query. */
  pathOf: (target: string) => string;
}

const unusable = 'a masking pattern cannot be used on this device: only metadata is reported';
const tooSlow = 'a masking pattern took too long: only metadata was reported';

/** What may be said of a failure. Other messages may hold what was captured. */
export const patternProblem = (error: unknown): string | null =>
  [unusable, tooSlow].find((line) => (error as Error).message === line) ?? null;

export const noOwnRules: OwnRules = { keys: [], patterns: [] };

const LONGEST_PATH = 2048;

/** Not within a placeholder. */
const cutPath = (path: string): string =>
  path.length <= LONGEST_PATH ? path : path.slice(0, path.lastIndexOf('/', LONGEST_PATH - 1) + 1);

/** An application asks for few paths, again and again. */
const MOST_HARMLESS_PATHS = 100;

/**
 * Redacts what is of a built-in type, and by the rules of the tenant. Throws if one of its patterns
 * cannot be used: then nothing may pass as redacted.
 */
export function createRedactor(own: OwnRules): Redactor {
  const rules = rulesOf(own);
  const harmless = new Set<string>();

  const redact: Redactor['redact'] = (field, text, counts) => {
    const { value, counts: found } = redactJson({ [field]: text }, rules);
    for (const [type, count] of Object.entries(found)) counts[type] = (counts[type] ?? 0) + count;
    return value[field] ?? '';
  };

  const pathOf = (target: string): string => {
    const path = target.replace(/[?#].*$/s, '');
    if (harmless.has(path)) return path;
    const redacted = path.startsWith('/') ? cutPath(redact('path', path, {})) : '/';
    if (redacted === path) {
      const [oldest] = harmless;
      if (oldest !== undefined && harmless.size >= MOST_HARMLESS_PATHS) harmless.delete(oldest);
      harmless.add(path);
    }
    return redacted;
  };

  return { redact, pathOf };
}

/** For rules as JSON; they are made ready once, while they stay the same. */
export function createRedactors(): (own: string) => Redactor {
  let ready: { own: string; redactor: Redactor } | null = null;
  return (own) => {
    if (ready?.own !== own) ready = { own, redactor: createRedactor(JSON.parse(own) as OwnRules) };
    return ready.redactor;
  };
}

function rulesOf({ keys, patterns }: OwnRules): RedactionRules {
  const { usable, refused } = compilePatterns(patterns);
  if (refused.length > 0) throw new Error(unusable);
  const clocks = { now: () => performance.now(), worked: workedMs };
  const own = patternDetectors(usable, { ...clocks, tooSlow: refuse });
  warmUp(own);
  return { detectors: [...builtinDetectors(), ...own], keys: keyRules(keys) };
}

/** All printable characters of ASCII. */
const sample = String.fromCharCode(...Array.from({ length: 95 }, (_, i) => 32 + i));

/** The first search of a pattern is slower than later ones, so it must not count against a text. */
function warmUp(detectors: readonly Detector[]): void {
  try {
    for (const detector of detectors) detector.find(sample);
  } catch {
    // One slow search is tolerated: a detector is left out after three in a row.
  }
}

function refuse(): never {
  throw new Error(tooSlow);
}

/** Of this thread's processor time: it has a low priority, and is left waiting on a busy machine. */
function workedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
