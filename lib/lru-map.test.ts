import { expect, test } from 'vitest';
import { LruMap } from './lru-map.ts';

test('a further entry evicts the one that was used least recently', () => {
  const map = new LruMap<string, number>(2);
  map.set('a', 1);
  map.set('b', 2);
  expect(map.get('a')).toBe(1);
  map.set('c', 3);
  expect(['a', 'b', 'c'].map((key) => map.get(key))).toEqual([1, undefined, 3]);
});

test('an entry that is set again is recent and evicts nothing', () => {
  const map = new LruMap<string, number>(2);
  map.set('a', 1);
  map.set('b', 2);
  map.set('a', 3);
  expect([map.get('b'), map.get('a')]).toEqual([2, 3]);
  map.set('c', 4);
  expect(map.get('b')).toBeUndefined();
});

test('looking at an entry is no use of it; a deleted one is gone', () => {
  const map = new LruMap<string, number>(2);
  map.set('a', 1);
  map.set('b', 2);
  expect(map.peek('a')).toBe(1);
  map.set('c', 3);
  expect([...map.values()]).toEqual([2, 3]);
  map.delete('b');
  expect([map.peek('b'), ...map.values()]).toEqual([undefined, 3]);
});
