import { expect, test } from 'vitest';
import { withBlocked } from './blocked-processes.ts';

const names = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, i) => `${prefix}${String(i).padStart(4, '0')}`);

test.each<[string, string[], string[], string[]]>([
  ['the important ones, wherever the alphabet has them', [], ['z', ...names('a', 600)], ['z']],
  ['what layers block', names('layer', 499), ['z', 'a'], ['layer0000', 'z']],
  ['no name twice', names('layer', 499), ['layer0000', 'z', 'a'], ['layer0000', 'z']],
])('a list of more than 500 names keeps %s', (_, layers, others, kept) => {
  const { blocked_processes } = withBlocked({ blocked_processes: layers }, others);
  expect(blocked_processes).toHaveLength(500);
  expect(blocked_processes).toEqual(expect.arrayContaining(kept));
  expect(new Set(blocked_processes).size).toBe(500);
});

test('a short list keeps all names, in an order that does not depend on the input', () => {
  const config = { blocked_processes: ['b'] };
  expect(withBlocked(config, ['c', 'a'])).toEqual(withBlocked(config, ['a', 'c', 'b']));
  expect(withBlocked(config, [])).toBe(config);
});
