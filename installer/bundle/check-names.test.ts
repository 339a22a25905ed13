import { describe, expect, test } from 'vitest';
import { checkNames } from './check-names.ts';

const long = (count: number, character = 'x') => character.repeat(count);

describe('names in a package', () => {
  test.each([
    ['the longest name', [`./${long(255)}`]],
    ['the longest name of two-byte characters', [`./${long(127, 'é')}`]],
    ['the longest path', [`./${`${long(254)}/`.repeat(4)}`.slice(0, 1024)]],
    ['one name in two folders', ['./a/x', './b/X']],
  ])('may be %s', (_, paths) => {
    expect(() => checkNames(paths)).not.toThrow();
  });

  test.each([
    ['too long', [`./${long(256)}`], 'a name of 256 bytes, a Mac takes 255'],
    ['too long in bytes', [`./${long(128, 'é')}`], 'a name of 256 bytes'],
    ['too deep', [`./${`${long(9)}/`.repeat(103)}`], 'a path of 1031 bytes, a Mac takes 1023'],
    ['the same but for case', ['./A/x', './a/y', './A', './a'], './A and ./a: one name on a Mac'],
    ['the same but for the accent', ['./\u00e9', './e\u0301'], 'one name on a Mac'],
  ])('may not be %s', (_, paths, why) => {
    expect(() => checkNames(paths)).toThrow(why);
  });
});
