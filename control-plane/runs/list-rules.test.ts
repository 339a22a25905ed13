import { expect, test } from 'vitest';
import { isCounted } from './list-rules.ts';

test.each([
  [{}, true],
  [{ agent: 'a', status: 'error', model: [], user: '' } as const, true],
  [{ user: 'u' }, false],
  [{ start: 0 }, false],
  [{ tag: ['x'] }, false],
])('whether %j is counted from the totals: %s', (filter, counted) =>
  expect(isCounted(filter)).toBe(counted),
);
