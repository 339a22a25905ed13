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

/** Masks what is about to be stored, by the rules of one tenant. */
export interface Masker {
  /** False: `mask` answers what it is given, at no cost. */
  active: boolean;
  /**
   * The value with placeholders. Rules by key know a field by its name only when they are given an
   * object with it: `mask({ prompt_preview, response_preview })`.
   */
  mask: <T>(value: T) => T;
  /** A text that no key names. */
  maskText: (text: string) => string;
}

const inactive: Masker = { active: false, mask: (value) => value, maskText: (text) => text };

/** The rules as the engine takes them. */
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

/** For a pattern that could be saved once but no longer runs: rather too much than what it hid. */
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

/** The masker of a tenant, with the rules that it has now. */
export function maskers(
  storage: Pick<Storage, 'db' | 'signals'>,
): (tenantId: string) => Promise<Masker> {
  // Compiled patterns are kept while the rules stay the same: they grow fast with use.
  const kept = new Map<string, { rules: string; masker: Masker }>();
  return tenantCache(storage.signals, 'settings', async (tenantId) => {
    const { masking } = await recordingSettingsOf(storage.db, tenantId);
    const rules = JSON.stringify(masking);
    const known = kept.get(tenantId);
    if (known?.rules === rules) return known.masker;
    const masker = createMasker(masking);
    if (masker.active) kept.set(tenantId, { rules, masker });
    else kept.delete(tenantId);
    return masker;
  });
}
