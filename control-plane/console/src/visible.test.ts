import { assert, property, string } from 'fast-check';
import { expect, test } from 'vitest';
import { visible } from './visible.ts';

test.each([
  ['maya', 'maya'],
  ['José 李 שלום 🙂', 'José 李 שלום 🙂'],
  ['cod\u202Eexe.sh', 'cod‹U+202E›exe.sh'],
  ['\u2066a\u2069', '‹U+2066›a‹U+2069›'],
  ['a\u200Bb\u00ADc\uFEFF', 'a‹U+200B›b‹U+00AD›c‹U+FEFF›'],
  ['\0\u001B[31m\u007F\u0085', '‹U+0000›‹U+001B›[31m‹U+007F›‹U+0085›'],
  ['a\u2028b\u2029', 'a‹U+2028›b‹U+2029›'],
  ['tag\u{E0041}', 'tag‹U+E0041›'],
  ['a\tb\nc\r\nd', 'a\tb\nc\r\nd'],
  ['real\rfake', 'real‹U+000D›fake'],
])('%j is displayed as %j', (text, expected) => expect(visible(text)).toBe(expected));

test('the output contains no invisible or reordering character', () => {
  assert(
    property(string({ unit: 'binary' }), (text) => {
      expect(visible(text).replaceAll('\r\n', '')).not.toMatch(
        /[^\P{Cc}\t\n]|[\p{Cf}\p{Zl}\p{Zp}]/u,
      );
    }),
  );
});
