import { expect, test } from 'vitest';
import { lifeOf } from './key-life.ts';

const now = Date.parse('2026-11-21T12:00:00Z');
const BEFORE = '2026-11-21T11:00:00.000Z';
const INSTANT = '2026-11-21T12:00:00.000Z';
const AFTER = '2026-11-21T12:00:00.001Z';

test.each([
  [null, null, { works: true }],
  [null, AFTER, { works: true }],
  [null, INSTANT, { works: false, end: 'Expired', at: INSTANT }],
  [null, BEFORE, { works: false, end: 'Expired', at: BEFORE }],
  [BEFORE, AFTER, { works: false, end: 'Revoked', at: BEFORE }],
  [INSTANT, BEFORE, { works: false, end: 'Revoked', at: INSTANT }],
])('a key revoked at %s that expires at %s', (revoked_at, expires_at, life) =>
  expect(lifeOf({ revoked_at, expires_at }, now)).toEqual(life),
);
