import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { isWrapped, unwrapKey, wrapKey, WRAPPING_KEY_BYTES } from './wrapped-key.ts';

const wrappingKey = randomBytes(WRAPPING_KEY_BYTES);
const PEM = '-----BEGIN PRIVATE KEY-----\nMIGHAgEAMBMG\n-----END PRIVATE KEY-----\n';
const wrapped = wrapKey(PEM, wrappingKey, 'identity');

/** Changes one character of the encrypted part. */
const altered = (text: string): string => {
  const at = text.length - 50;
  return text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1);
};

test('a wrapped key is unwrapped with the same wrapping key for the same purpose', () => {
  expect(unwrapKey(wrapped, wrappingKey, 'identity')).toBe(PEM);
  expect([isWrapped(wrapped), isWrapped(PEM)]).toEqual([true, false]);
  expect(wrapped).not.toContain('MIGHAgEAMBMG');
});

test('wrapping a key again gives another text', () => {
  expect(wrapKey(PEM, wrappingKey, 'identity')).not.toBe(wrapped);
});

test.each([
  ['another purpose', wrapped, wrappingKey, 'intermediate'],
  ['another wrapping key', wrapped, randomBytes(WRAPPING_KEY_BYTES), 'identity'],
  ['an altered character', altered(wrapped), wrappingKey, 'identity'],
  ['a missing end', wrapped.slice(0, 60), wrappingKey, 'identity'],
  ['nothing', '', wrappingKey, 'identity'],
])('%s does not unwrap', (_, text, key, purpose) => {
  expect(unwrapKey(text, key, purpose)).toBeNull();
});
