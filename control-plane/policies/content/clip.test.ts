import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { clip } from './clip.ts';

const bounds = { characters: 10, values: 6, placeholder: '##CUT##' };

describe('clip', () => {
  test('a value within the bounds is returned unchanged', () => {
    const value = { a: 'text', b: [1, null, true] };
    const clipped = clip(value, bounds);
    expect(clipped).toMatchObject({ characters: 4, left: 0, isWhole: true });
    expect(clipped.value).toBe(value);
    expect(clipped.texts).toEqual([{ member: 'a', text: 'text' }]);
  });

  test.each([
    ['text', '0123456789ab', '0123456789##CUT##', 12, 2],
    ['the text in which it ends', ['012345', 'abcdefgh'], ['012345', 'abcd##CUT##'], 14, 4],
    ['all text after it', ['0123456789', 'a', ''], ['0123456789', '##CUT##', ''], 11, 1],
    ['items', [1, 2, 3, [], {}, 6, 7], [1, 2, 3, [], {}, '##CUT##'], 0, 0],
    ['half a character', ['012345678😀'], ['012345678\uFFFD##CUT##'], 11, 1],
    ['members', { a: [1, 2, 3, 4], b: 5, c: 6, d: 7 }, { a: [1, 2, 3, 4], '##CUT##': null }, 0, 0],
  ])('%s beyond the bounds is cut and reported', (_, given, value, characters, left) => {
    expect(clip(given, bounds)).toMatchObject({ value, characters, left, isWhole: false });
  });

  test('texts have their member name, and list items have that of the list', () => {
    const value = { a: ['x', { b: 'y' }], c: ['z'] };
    expect(clip(value, { ...bounds, values: 9 }).texts).toEqual([
      { member: 'a', text: 'x' },
      { member: 'b', text: 'y' },
      { member: 'c', text: 'z' },
    ]);
  });

  test('member names and numbers are included up to `labels`', () => {
    const value = { ab: 'x', c: [12, 345], d: 'y' };
    const { texts, ...clipped } = clip(value, { ...bounds, values: 9, labels: 5 });
    expect(texts.map(({ member, text }) => [member, text])).toEqual([
      [null, 'ab'],
      ['ab', 'x'],
      [null, 'c'],
      ['c', '12'],
      ['d', 'y'],
    ]);
    expect(clipped).toMatchObject({
      value: { ab: 'x', c: [12, '##CUT##'], '##CUT##': null },
      characters: 2,
      isWhole: false,
      isCounted: true,
    });
  });

  test('nesting is cut at a maximum depth', () => {
    let deep: unknown = 'secret';
    for (let i = 0; i < 100_000; i += 1) deep = [deep];
    const { isWhole, texts } = clip(deep, bounds);
    expect({ isWhole, texts }).toEqual({ isWhole: false, texts: [] });
  });

  test('the result is within the bounds, and every cut is reported', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(20), fc.nat(6), (value, characters, values) => {
        const clipped = clip(value, { characters, values, placeholder: '' });
        const kept = clipped.texts.reduce((sum, { text }) => sum + text.length, 0);
        expect(kept).toBeLessThanOrEqual(characters);
        expect(kept).toBe(clipped.characters - clipped.left);
        expect(clipped.value === value || !clipped.isWhole).toBe(true);
      }),
    );
  });
});
