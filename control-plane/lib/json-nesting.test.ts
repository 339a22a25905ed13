import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isNestedWithin } from './json-nesting.ts';

test.each([
  ['1', 0, true],
  ['[1]', 0, false],
  ['{"a":[1]}', 1, false],
  ['{"a":[1]}', 2, true],
  ['[[],[],{}]', 2, true],
  [String.raw`["[[[", "\"[[", "\\", "\\\"[["]`, 1, true],
  [String.raw`["\\", [[1]]]`, 2, false],
  ['["[', 1, true],
])('%s within %i levels: %s', (text, levels, expected) => {
  expect(isNestedWithin(text, levels)).toBe(expected);
});

test('it counts the levels of any value', () => {
  const depthOf = (value: unknown): number =>
    typeof value === 'object' && value !== null
      ? 1 + Math.max(0, ...Object.values(value).map(depthOf))
      : 0;
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
      const text = JSON.stringify(value);
      const depth = depthOf(value);
      const results = [depth, Math.max(0, depth - 1)].map((levels) => isNestedWithin(text, levels));
      expect(results).toEqual([true, depth === 0]);
    }),
  );
});
