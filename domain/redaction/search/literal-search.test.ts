import fc from 'fast-check';
import { expect, test } from 'vitest';
import { literalSearch } from './literal-search.ts';

/** Few characters, frequent and rare ones, so that literals occur, overlap and nearly occur. */
const text = fc.string({ unit: fc.constantFrom('e', 'y', 'J', '-', ' ', '~'), maxLength: 30 });

const splitAt = (literal: string, within: string): number[] => {
  const parts = within.split(literal).slice(0, -1);
  let at = 0;
  return parts.map((part) => {
    const position = at + part.length;
    at = position + literal.length;
    return position;
  });
};

test('finds all non-overlapping occurrences of any literal', () => {
  const literal = fc.string({
    unit: fc.constantFrom('e', 'y', 'J', '-', '~'),
    minLength: 1,
    maxLength: 4,
  });
  fc.assert(
    fc.property(literal, text, (searched, within) => {
      const search = literalSearch(searched);
      expect(search.positionsIn(within)).toEqual(splitAt(searched, within));
      expect(search.occursIn(within)).toBe(within.includes(searched));
    }),
  );
});

test('an occurrence of the rarest part alone is none', () => {
  expect(literalSearch('sqlcmd').positionsIn('qlcmd xqlcmd sqlcmd')).toEqual([13]);
  expect(literalSearch('eyJ').occursIn('yJ ryJ')).toBe(false);
});
