import fc from 'fast-check';
import { expect, test } from 'vitest';
import { eachAsciiWord, phrasesOf, searchedTexts, wordsOf } from './word-rules.ts';

test.each([
  ['Hello, World', ['hello', 'world']],
  ['gpt-4o-2024', ['gpt', '4o', '2024']],
  ['ada.lovelace@example.com', ['ada', 'lovelace', 'example', 'com']],
  ['snake_case "quoted"', ['snake', 'case', 'quoted']],
  ['Ça va, ÑANDÚ? Straße', ['ca', 'va', 'nandu', 'straße']],
  ['ﬁne ＡＢＣ', ['fine', 'abc']],
  ['東京タワー 123', ['東', '京', 'タ', 'ワ', 'ー', '123']],
  ['สวัสดี', ['ส', 'วั', 'ส', 'ดี']],
  ['हिन्दी मराठी', ['हिन्दी', 'मराठी']],
  ['한국어', ['한국어']],
  ['done 🎉👍', ['done', '🎉', '👍']],
  ['a'.repeat(100), ['a'.repeat(64)]],
  ['-- :) \n\t', []],
])('splits %j into words', (text, words) => {
  expect(wordsOf(text)).toEqual(words);
});

const exact = (...words: string[]) => ({ words, prefix: false });
const beginning = (...words: string[]) => ({ words, prefix: true });

test.each([
  ['refund order', [exact('refund'), exact('order')]],
  ['"refund order"', [exact('refund', 'order')]],
  ['“refund order”', [exact('refund', 'order')]],
  ['ref*', [beginning('ref')]],
  ['"refund ord*"', [beginning('refund', 'ord')]],
  ['"refund ord"*', [beginning('refund', 'ord')]],
  ['"refund ord"* x', [beginning('refund', 'ord'), exact('x')]],
  ['gpt-4o', [exact('gpt', '4o')]],
  ['gpt-4o*', [beginning('gpt', '4o')]],
  ['gpt-*', [exact('gpt')]],
  ['*', []],
  ['a*b', [exact('a', 'b')]],
  ['"unbalanced one', [exact('unbalanced', 'one')]],
  ['one" two', [exact('one'), exact('two')]],
  ['""', []],
  ['A AND NOT B', [exact('a'), exact('and'), exact('not'), exact('b')]],
  ['NEAR(a b, 5)', [exact('near', 'a'), exact('b'), exact('5')]],
  ['model:gpt -x ^y', [exact('model', 'gpt'), exact('x'), exact('y')]],
  ["it's o'clock", [exact('it', 's'), exact('o', 'clock')]],
  ['  ', []],
  ['!!! -- "…"', []],
])('parses %j into phrases', (query, phrases) => {
  expect(phrasesOf(query)).toEqual(phrases);
});

test('only the first phrases count', () => {
  const words = Array.from({ length: 100 }, (_, i) => `w${i}`).join(' ');
  expect(phrasesOf(words)).toHaveLength(32);
});

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: fc.constantFrom(...Array.from('aZ9"*-:()^\'_ \u0301é東ｶﾞ🎉¦ß')) }),
);

test('words contain no syntax of a database search', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      for (const word of [...wordsOf(text), ...phrasesOf(text).flatMap((phrase) => phrase.words)])
        expect(word).not.toMatch(/[\s"'*():&|!<>\\¦-]|^$/);
    }),
  );
});

test('a text matches its own words, also as a phrase', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const joined = ` ${wordsOf(text).join(' ')} `;
      for (const query of [text, `"${text.replaceAll(/["“”„«»]/g, ' ')}"`])
        for (const { words, prefix } of phrasesOf(query))
          expect(joined).toContain(` ${words.join(' ')}${prefix ? '' : ' '}`);
    }),
  );
});

test('words of ASCII text equal those that the rules for all scripts find', () => {
  const ascii = fc.string({ unit: fc.constantFrom(...Array.from('aZ9 -_.@\n0')), maxLength: 300 });
  fc.assert(
    fc.property(ascii, (text) => {
      const bytes = Buffer.from(text);
      const words: string[] = [];
      eachAsciiWord(bytes, bytes.length, (start, end) =>
        words.push(bytes.toString('latin1', start, end)),
      );
      expect(words).toEqual(wordsOf(text));
    }),
  );
});

test('only the first characters of a text are searched', () => {
  const call = { model: 'm', task: null, prompt_preview: 'x'.repeat(60_000), response_preview: '' };
  expect(searchedTexts(call).map((text) => text.length)).toEqual([1, 0, 50_000, 0]);
});
