import { assert, integer, property } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { english } from './english.ts';
import { pseudo } from './pseudo.ts';
import { createTranslator } from './translator.ts';

const translator = createTranslator('en-GB');

test.each([
  [null, '–'],
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1.0 kB'],
  [9949, '9.9 kB'],
  [9950, '10 kB'],
  [999_499, '999 kB'],
  [999_500, '1.0 MB'],
  [1.5e13, '15 TB'],
])('%s bytes are %s', (bytes, text) => {
  expect(translator.bytes(bytes)).toBe(text);
});

test('sizes below a thousand terabytes have at most seven characters', () => {
  const sizes = integer({ min: 0, max: 999_499_999_999_999 });
  expect(() =>
    assert(property(sizes, (bytes) => translator.bytes(bytes).length <= 7)),
  ).not.toThrow();
});

test.each([
  [['a'], 'a'],
  [['a', 'b'], 'a and b'],
  [['a', 'b', 'c'], 'a, b and c'],
])('%j is %s', (names, text) => {
  expect(translator.list(names)).toBe(text);
});

test.each([
  [1, 'Capturing 1 host'],
  [2, 'Capturing 2 hosts'],
  [1500, 'Capturing 1,500 hosts'],
])('%i has the right plural form', (count, text) => {
  expect(translator.translate('tray.capturing', { count })).toBe(text);
});

test.each([
  ['en-GB', 'en', '14:30'],
  ['en-US', 'en', '02:30 PM'],
  ['de-DE', 'en', '14:30'],
  ['en-XA', 'en-XA', '14:30'],
  ['__proto__', 'en', '14:30'],
  ['', 'en', '14:30'],
])('%s: messages in %s, times as %s', (locale, language, time) => {
  const one = createTranslator(locale);
  expect(one.language).toBe(language);
  expect(one.time(new Date(2026, 10, 22, 14, 30).getTime())).toBe(time);
});

describe('the pseudo-locale', () => {
  const texts = (words: object): string[] =>
    Object.values(words).flatMap((word: unknown) =>
      typeof word === 'string' ? word : Object.values(word as object).map(String),
    );
  const slots = (text: string): string[] => [...text.matchAll(/\{\w+\}/g)].map(String);

  test('has the placeholders of English and no other ASCII letter', () => {
    expect(texts(pseudo).map(slots)).toEqual(texts(english).map(slots));
    for (const text of texts(pseudo)) expect(text.replaceAll(/\{\w+\}/g, '')).not.toMatch(/[a-z]/i);
  });

  test('is 40 % longer', () => {
    for (const [at, text] of texts(english).entries())
      expect(texts(pseudo)[at]?.length).toBeGreaterThanOrEqual(
        text.length * 1.4 - slots(text).join('').length,
      );
  });
});
