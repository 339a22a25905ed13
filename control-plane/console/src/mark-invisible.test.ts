import { assert, property, string } from 'fast-check';
import { expect, test } from 'vitest';
import { markInvisible } from './mark-invisible.ts';

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
  // A family, a woman programmer and a heart on fire.
  ['👩\u200D👩\u200D👧 👩🏽\u200D💻 ❤️\u200D🔥', '👩\u200D👩\u200D👧 👩🏽\u200D💻 ❤️\u200D🔥'],
  // "I go" in Persian and "Kṣa" in Hindi, with their joiners.
  ['می\u200Cروم क्\u200Dष', 'می\u200Cروم क्\u200Dष'],
  ['ad\u200Cmin a\u200Db', 'ad‹U+200C›min a‹U+200D›b'],
  ['\u200D👩 👩\u200D 👩\u200C👧', '‹U+200D›👩 👩‹U+200D› 👩‹U+200C›👧'],
  ['می\u200C\u200Cروم 1\u200D2', 'می‹U+200C›‹U+200C›روم 1‹U+200D›2'],
])('%j is displayed as %j', (text, expected) => expect(markInvisible(text)).toBe(expected));

test('the output contains no invisible or reordering characters except joiners', () => {
  assert(
    property(string({ unit: 'binary' }), (text) => {
      expect(markInvisible(text).replaceAll(/\r\n|[\u200C\u200D]/g, '')).not.toMatch(
        /[^\P{Cc}\t\n]|[\p{Cf}\p{Zl}\p{Zp}]/u,
      );
    }),
  );
});
