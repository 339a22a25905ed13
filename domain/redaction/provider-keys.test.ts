import { expect, test } from 'vitest';
import { builtinDetectors } from './builtin.ts';
import { memberRules } from './member-rules.ts';
import { redactJson } from './redact-json.ts';
import { providerKeys } from './testing/provider-keys.ts';

const rules = { detectors: builtinDetectors(), keys: memberRules([]) };
const redacted = (value: unknown): string => JSON.stringify(redactJson(value, rules).value);

test('the samples are of at least forty formats', () => {
  expect(new Set(providerKeys.map(({ provider }) => provider)).size).toBeGreaterThanOrEqual(40);
});

test.each(providerKeys)('$provider', ({ pieces }) => {
  const key = pieces.join('');
  for (const text of [`I use ${key} and get a 401.`, `7,${key},31`, `x="${key}"`, key])
    expect(redacted({ content: text })).not.toContain(key.slice(-12));
  expect(redacted({ usage: { [key]: 1 } })).not.toContain(key.slice(-12));
});
