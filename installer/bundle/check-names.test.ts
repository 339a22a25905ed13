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
    ['too long', [`./${long(256)}`], 'the name has 256 bytes, macOS allows 255'],
    ['too long in bytes', [`./${long(128, 'é')}`], 'the name has 256 bytes'],
    ['too deep', [`./${`${long(9)}/`.repeat(103)}`], 'the path has 1031 bytes, macOS allows 1023'],
    [
      'the same but for case',
      ['./A/x', './a/y', './A', './a'],
      './A and ./a: the same name on a case-insensitive Mac volume',
    ],
    [
      'the same but for the accent',
      ['./\u00e9', './e\u0301'],
      'the same name on a case-insensitive Mac volume',
    ],
  ])('may not be %s', (_, paths, why) => {
    expect(() => checkNames(paths)).toThrow(why);
  });
});
