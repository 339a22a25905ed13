import fc from 'fast-check';
import { expect, test } from 'vitest';
import { searchFor } from './text-search.ts';

const letters = (minLength: number) =>
  fc.string({ unit: fc.constantFrom('a', 'b', 'é'), minLength, maxLength: minLength * 5 });

test('the texts that occur at any position are found, and no others', () => {
  fc.assert(
    fc.property(fc.array(letters(3)), letters(20), (texts, searched) => {
      const expected = [...new Set(texts)].filter((text) => searched.includes(text));
      expect(searchFor(texts)(Buffer.from(searched)).sort()).toEqual(expected.sort());
    }),
  );
});

test.each(['at the end: secret', 'secret, at the beginning', 'twice: secret secret'])(
  '%s',
  (text) => {
    expect(searchFor(['secret', 'secrecy'])(Buffer.from(text))).toEqual(['secret']);
  },
);
