import { builtinDetectors } from '#agent/core/redaction/builtin.ts';
import type { Detector } from '#agent/core/redaction/detector.ts';
import { keyRules } from '#agent/core/redaction/key-rules.ts';
import { redactJson, type RedactionRules } from '#agent/core/redaction/redact-json.ts';
import type { Masking } from '#contract/settings.ts';
import { recordingSettingsOf } from '../settings/queries.ts';
import type { Storage } from '../storage/open.ts';
import { tenantCache } from '../storage/tenant-cache.ts';
import { compilePatterns } from '#agent/core/redaction/patterns/compiled-patterns.ts';
import { patternDetectors } from '#agent/core/redaction/patterns/pattern-detectors.ts';

/** Masks values before they are stored, by the rules of one tenant. */
export interface Masker {
  /** If false, `mask` returns its argument unchanged, at no cost. */
  active: boolean;
  /**
   * Returns the value with placeholders. Key rules only match members of an object: `mask({
   * prompt_preview, response_preview })`.
   */
  mask: <T>(value: T) => T;
  /** Masks a text without a key. */
  maskText: (text: string) => string;
}

const inactive: Masker = { active: false, mask: (value) => value, maskText: (text) => text };

/** The rules in the form of the redaction engine. */
export function redactionRules({ builtin, keys, patterns }: Masking): RedactionRules {
  const { usable, refused } = compilePatterns(patterns);
  return {
    detectors: [
      ...builtinDetectors(builtin),
      ...patternDetectors(usable, { now: () => performance.now() }),
      ...refused.map(({ name }) => everything(name)),
    ],
    keys: keyRules(keys),
  };
}

/**
 * Replaces a stored pattern that no longer compiles: better to mask everything than to miss a
 * match.
 */
const everything = (type: string): Detector => ({
  type,
  find: (text) => [{ start: 0, end: text.length }],
});

export function createMasker(masking: Masking): Masker {
  if (!masking.enabled) return inactive;
  const rules = redactionRules(masking);
  const mask = <T>(value: T): T => redactJson(value, rules).value;
  return { active: rules.detectors.length > 0 || rules.keys.some, mask, maskText: mask };
}

/** The maskers of tenants, with their current rules. */
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
