import { ApiError } from '#contract/errors.ts';
import type { Masking } from '#contract/settings.ts';
import {
  compilePattern,
  MAX_TOTAL_PROGRAM_SIZE,
  compilePatterns,
} from '#domain/redaction/patterns/pattern.ts';
import { builtinDetectors } from '#domain/redaction/builtin.ts';
import type { Detector } from '#domain/redaction/detector.ts';
import { memberRules } from '#domain/redaction/member-rules.ts';
import { patternDetectors } from '#domain/redaction/patterns/pattern-detectors.ts';
import { createJsonRedactor, type RedactionRules } from '#domain/redaction/redact-json.ts';
import { recordingSettingsOf } from '../queries.ts';
import type { Storage } from '../../storage/open.ts';
import { tenantCache } from '../../storage/tenant-cache.ts';

/** Masks values before they are stored, by the rules of one tenant. */
export interface Masker {
  /** If false, `mask` returns its argument unchanged, at no cost. */
  active: boolean;
  /**
   * Returns the value with placeholders. Key rules match only members of an object, as in `mask({
   * prompt_preview, response_preview })`.
   */
  mask: <T>(value: T) => T;
  /** Masks a text without a key. */
  maskText: (text: string) => string;
}

const inactive: Masker = { active: false, mask: (value) => value, maskText: (text) => text };

/** Converts the rules to the form of the redaction engine. */
export function redactionRules({ builtin, keys, patterns }: Masking): RedactionRules {
  const { usable, refused } = compilePatterns(patterns);
  return {
    detectors: [
      ...builtinDetectors(builtin),
      ...patternDetectors(usable, { now: () => performance.now() }),
      ...refused.map(({ name }) => everything(name)),
    ],
    keys: memberRules(keys),
  };
}

/**
 * Replaces a stored pattern that no longer compiles, because it is better to mask everything than
 * to miss a match.
 */
const everything = (type: string): Detector => ({
  type,
  find: (text) => [{ start: 0, end: text.length }],
});

export function createMasker(masking: Masking): Masker {
  if (!masking.enabled) return inactive;
  const rules = redactionRules(masking);
  const redactJson = createJsonRedactor(rules);
  const mask = <T>(value: T): T => redactJson(value).value;
  return { active: rules.detectors.length > 0 || rules.keys.hasRules, mask, maskText: mask };
}

/** Creates a cache of the maskers of tenants, with their current rules. */
export function maskers(
  storage: Pick<Storage, 'db' | 'signals'>,
): (tenantId: string) => Promise<Masker> {
  // Compiled patterns are cached while the rules are unchanged, because they build up state with
  // use.
  const cache = new Map<string, { rules: string; masker: Masker }>();
  return tenantCache(storage.signals, 'settings', async (tenantId) => {
    const { masking } = await recordingSettingsOf(storage.db, tenantId);
    const rules = JSON.stringify(masking);
    const cached = cache.get(tenantId);
    if (cached?.rules === rules) return cached.masker;
    const masker = createMasker(masking);
    if (masker.active) cache.set(tenantId, { rules, masker });
    else cache.delete(tenantId);
    return masker;
  });
}

/** @throws ApiError that names the pattern that is invalid or too complex */
export function checkPatterns({ patterns }: Masking): void {
  let size = 0;
  for (const [index, { name, pattern }] of patterns.entries()) {
    const compiled = compilePattern(name, pattern);
    if ('error' in compiled)
      throw new ApiError(
        'validation_error',
        `masking.patterns[${index}].pattern: ${name} ${compiled.error}`,
      );
    size += compiled.matcher.programSize();
  }
  if (size > MAX_TOTAL_PROGRAM_SIZE)
    throw new ApiError(
      'validation_error',
      `masking.patterns: all patterns together are too complex: ${size} steps, at most ${MAX_TOTAL_PROGRAM_SIZE}`,
    );
}
