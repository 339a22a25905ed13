import { expect, test } from 'vitest';
import { createIds, isId } from './ids.ts';

test('ids sort by time, and in order of creation within a millisecond', () => {
  const newId = createIds();
  const ids = [1000, 1000, 1000, 1001, 1001, 2 ** 45].flatMap((now) =>
    Array.from({ length: 40 }, () => newId('scr', now)),
  );
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.every((id) => isId('scr', id) && !isId('dev', id))).toBe(true);
  expect(isId('scr', `${ids[0]}0`)).toBe(false);
});
