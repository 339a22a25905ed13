import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isNestedTooDeep, parseTruncatedJson, parseJson } from './parse-json.ts';

test.each([
  ['{"a":1}', { a: 1 }],
  ['null', null],
  ['', undefined],
  ['{"a":', undefined],
  ['{"a":NaN,"b":[-Infinity,Infinity],"c":"\\"NaN"}', { a: null, b: [null, null], c: '"NaN' }],
  ['NaNa', undefined],
  ['{NaN:1}', undefined],
  [`${'['.repeat(150)}${']'.repeat(150)}`, expect.any(Array)],
  [`${'['.repeat(100_000)}${']'.repeat(100_000)}`, undefined],
])('parses %.20s', (text, value) => {
  expect(parseJson(text)).toEqual(value);
});

test.each([
  ['[1]', false],
  ['no JSON', false],
  [`${'['.repeat(150)}${']'.repeat(150)}`, false],
  [`${'['.repeat(300)}${']'.repeat(300)}`, true],
  ['['.repeat(300), false],
])('whether %.20s is nested too deep: %s', (text, isTooDeep) => {
  expect(isNestedTooDeep(text)).toBe(isTooDeep);
});

describe('parseTruncatedJson returns the complete part of truncated JSON', () => {
  test.each([
    ['{"model":"gpt-5","messages":[{"role":"user","content":"Hel', 'a string goes up to the cut'],
    ['{"model":"gpt-5","messages":[{"role":"user","content":"Hel\\', 'half an escape is dropped'],
    [
      '{"model":"gpt-5","messages":[{"role":"user","content":"Hel\\u00',
      'half an escape is dropped',
    ],
  ])('%s: %s', (text) => {
    expect(parseTruncatedJson(text)).toEqual({
      model: 'gpt-5',
      messages: [{ role: 'user', content: 'Hel' }],
    });
  });

  test.each([
    ['{"a":1,"b', { a: 1 }],
    ['{"a":1,"b"', { a: 1 }],
    ['{"a":1,"b":', { a: 1 }],
    ['{"a":1,"b":12', { a: 1 }],
    ['{"a":1,"b":tr', { a: 1 }],
    ['{"a":1,"b":{"c":[1,2', { a: 1, b: { c: [1] } }],
    ['{"a":["x", "y"], ', { a: ['x', 'y'] }],
    ['{"a":"x\\\\', { a: 'x\\' }],
    ['{"a":"x\\\\u12', { a: 'x\\u12' }],
    ['{"a":"\\ud83d', { a: '\ud83d' }],
    [' [', []],
    ['{', {}],
    ['{"a":NaN,"b":"Infinity NaN', { a: null, b: 'Infinity NaN' }],
    ['hello', undefined],
    ['data: {"a":1}', undefined],
    ['{"a" "b"}', undefined],
  ])('%s', (text, value) => {
    expect(parseTruncatedJson(text)).toEqual(value);
  });

  test('but nothing that is nested too deep', () => {
    const deep = `${'['.repeat(300)}1${']'.repeat(300)}`;
    const value = parseTruncatedJson(`{"a":${deep},"b":1}`);
    expect(value).toEqual({ a: expect.any(Array), b: 1 });
    expect(parseJson(JSON.stringify(value))).toEqual(value);
    expect(parseTruncatedJson(`{"b":1,"a":${deep.slice(0, 400)}`)).toMatchObject({ b: 1 });
  });

  test('the result is part of the value wherever the text is cut', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(), (value, at) => {
        const text = JSON.stringify(value);
        const cut = parseTruncatedJson(text.slice(0, 1 + (at % text.length)));
        expect(isPart(cut, JSON.parse(text))).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  test('never throws', () => {
    const text = fc.stringMatching(/^[{}[\]":,\\u0aefnrt1. -]{0,40}$/);
    fc.assert(
      fc.property(text, (given) => {
        parseTruncatedJson(given);
      }),
      { numRuns: 2000 },
    );
  });
});

function isPart(part: unknown, whole: unknown): boolean {
  if (typeof part === 'string') return typeof whole === 'string' && whole.startsWith(part);
  if (typeof part !== 'object' || part === null) return Object.is(part, whole) || part === whole;
  if (typeof whole !== 'object' || whole === null) return false;
  return Object.entries(part).every(
    ([name, inner]) =>
      Object.hasOwn(whole, name) && isPart(inner, (whole as Record<string, unknown>)[name]),
  );
}
