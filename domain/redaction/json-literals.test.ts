import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonLiterals } from './json-literals.ts';

const read = (text: string) =>
  jsonLiterals(text, '$', (location, member) => `${location}.${member}`)?.map(
    ({ location, value }) => [location, value] as const,
  );

test.each([
  [
    '{"a": 1, "b": ["x", {"c": null}]}',
    [
      ['$.a', 1],
      ['$.b', 'x'],
      ['$.b.c', null],
    ],
  ],
  [
    '[true, -1.5e3, "\\u0040\\""]',
    [
      ['$', true],
      ['$', -1500],
      ['$', '@"'],
    ],
  ],
  [
    '{"a": NaN, "b": [-Infinity, 1], "c": "x"}',
    [
      ['$.a', null],
      ['$.b', null],
      ['$.b', 1],
      ['$.c', 'x'],
    ],
  ],
  [' {} ', []],
  [
    '{"a":1}\n{"a":2}',
    [
      ['$.a', 1],
      ['$.a', 2],
    ],
  ],
  [
    '{"a":1,"a":2}',
    [
      ['$.a', 1],
      ['$.a', 2],
    ],
  ],
  ['{"a": {"b": "cut of', [['$.a.b', 'cut of']]],
  ['{"a": "cut \\u00', [['$.a', 'cut ']]],
  ['{"a": "cut \\', [['$.a', 'cut ']]],
  ['{"a": "cut \\\\', [['$.a', 'cut \\']]],
  ['{"a": "x", "b": tr', [['$.a', 'x']]],
  [
    '{"a": "x", "b',
    [
      ['$.a', 'x'],
      ['$.a', 'b'],
    ],
  ],
])('%j', (text, expected) => {
  expect(read(text)).toEqual(expected);
});

test.each([
  '',
  'plain',
  '"text"',
  '12',
  '[INFO] started',
  '[1] a citation',
  '{name}',
  '{ "a" } "b"',
  '{"a": 1]',
  '{"a": undefined, "b": 1}',
  '["a\\x"]',
  '[1]]',
  '{"a": 01}',
])('%j is not JSON', (text) => {
  expect(read(text)).toBeUndefined();
});

const leaves = (value: unknown): unknown[] =>
  typeof value === 'object' && value !== null ? Object.values(value).flatMap(leaves) : [value];

const container = fc.jsonValue().filter((value) => typeof value === 'object' && value !== null);

test('all leaves of any JSON are read with their positions', () => {
  fc.assert(
    fc.property(container, fc.constantFrom(0, 2), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      const literals = jsonLiterals(text, 0, () => 0) ?? [];
      expect(literals.map((literal) => literal.value)).toEqual(leaves(JSON.parse(text)));
      for (const { start, end, value } of literals)
        expect(JSON.parse(text.slice(start, end))).toEqual(value);
    }),
  );
});

test('truncated JSON is read wherever the cut is', () => {
  fc.assert(
    fc.property(container, fc.nat(), (value, at) => {
      const text = JSON.stringify({ first: value });
      const cut = text.slice(0, 9 + (at % (text.length - 8)));
      expect(jsonLiterals(cut, 0, () => 0)).toBeDefined();
    }),
  );
});
