import fc from 'fast-check';
import { expect, test } from 'vitest';
import { wordSearch } from './word-search.ts';

const part = (word: string) => ({ word, isWhole: false });
const whole = (word: string) => ({ word, isWhole: true });

const search = wordSearch({
  first: [part('key'), part('api-key'), whole('pw')],
  second: [part('key'), part('in with '), whole('pat')],
});

/** The same search with one regular expression for each group. */
const patterns = {
  first: /(?=key|api-key|(?<!\w)pw(?!\w))/gi,
  second: /(?=key|in with |(?<!\w)pat(?!\w))/gi,
};
const expected = (text: string, group: 'first' | 'second'): number[] =>
  Array.from(text.matchAll(patterns[group]), ({ index }) => index);

const piece = fc.constantFrom(
  ...'key|Key|KEY|ke|ey|api-key|API-|pw|PW|p|w|pat|Pat|PATH|in with |In|\t| |_|-|=|é|ÿ|密|😀|7'.split(
    '|',
  ),
);

test('words are found wherever a regular expression finds them', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const text = pieces.join('');
      const found = search(text);
      expect(found('first')).toEqual(expected(text, 'first'));
      expect(found('second')).toEqual(expected(text, 'second'));
    }),
    { numRuns: 3000 },
  );
});

test.each([65_533, 65_534, 65_535, 200_000])(
  'in a text of %i characters, the last word is found',
  (length) => {
    const text = `${'é'.repeat(length - 3)}key`;
    expect(search(text)('first')).toEqual([length - 3]);
  },
);

test('a search does not see the end of a longer text before it', () => {
  search(`${'x'.repeat(100)}key`);
  expect(search(`${'x'.repeat(100)}ke`)('first')).toEqual([]);
  expect(search('pw')('first')).toEqual([0]);
});

test('a group without words in the text is empty', () => {
  expect(search('')('first')).toEqual([]);
  expect(search('pw')('second')).toEqual([]);
});
