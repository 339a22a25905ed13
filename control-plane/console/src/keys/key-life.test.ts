import { expect, test } from 'vitest';
import { lifeOf } from './key-life.ts';

const now = Date.parse('2026-11-21T12:00:00Z');
const before = '2026-11-21T11:00:00.000Z';
const instant = '2026-11-21T12:00:00.000Z';
const after = '2026-11-21T12:00:00.001Z';

test.each([
  [null, null, { works: true }],
  [null, after, { works: true }],
  [null, instant, { works: false, end: 'Expired', at: instant }],
  [null, before, { works: false, end: 'Expired', at: before }],
  [before, after, { works: false, end: 'Revoked', at: before }],
  [instant, before, { works: false, end: 'Revoked', at: instant }],
])('a key revoked at %s that expires at %s', (revoked_at, expires_at, life) =>
  expect(lifeOf({ revoked_at, expires_at }, now)).toEqual(life),
);
