import { expect, test } from 'vitest';
import { builtinDetectors } from '../builtin.ts';
import { credentialCalls } from './call-credentials.ts';
import { keyCalls } from './call-keys.ts';
import { markedPasswords } from './marked-passwords.ts';
import { pathSecrets } from './path-secrets.ts';
import { passwordHashes } from './password-hashes.ts';
import { passwordReaders } from './piped-secrets.ts';
import { redactText } from '../redact-text.ts';
import { valueNotations } from './value-notations.ts';

const detectors = builtinDetectors(['PASSWORD', 'SECRET']);
const redacted = (text: string): string =>
  redactText(text, detectors).text.replaceAll(/##[A-Z_]+##/g, '[]');

test.each([
  ...valueNotations,
  ...credentialCalls,
  ...keyCalls,
  ...pathSecrets,
  ...passwordReaders,
  ...markedPasswords,
  ...passwordHashes,
])('$example', ({ example, counterExample }) => {
  // A notation with brackets of its own has the value in two.
  const marked = example.includes('[[') ? /\[\[([^[\]]*)\]\]/ : /\[([^\]]*)\]/;
  expect(redacted(example.replace(marked, '$1'))).toBe(example.replace(marked, '[]'));
  expect(redacted(counterExample)).toBe(counterExample);
});
