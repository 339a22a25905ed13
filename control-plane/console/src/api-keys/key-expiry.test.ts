import { expect, test } from 'vitest';
import { changeDisplay } from '../display.ts';
import { expiryOf, validityOf } from './key-expiry.ts';

const now = Date.parse('2026-11-21T12:00:00Z');
const chosen = (fields: Record<string, string>) => ({
  get: (name: string) => fields[name] ?? null,
});

test.each([
  [{ expiry: '' }, undefined],
  [{ expiry: '30' }, '2026-12-21T12:00:00.000Z'],
  [{ expiry: 'date', expiry_date: '2027-01-01T09:00' }, '2027-01-01T08:00:00.000Z'],
])('%o expires at %s', (fields, at) => {
  changeDisplay({ timeZone: 'Europe/Paris' });
  expect(expiryOf(chosen(fields), now)).toBe(at);
  changeDisplay({ timeZone: 'local' });
});

const BEFORE = '2026-11-21T11:00:00.000Z';
const INSTANT = '2026-11-21T12:00:00.000Z';
const AFTER = '2026-11-21T12:00:00.001Z';

test.each([
  [null, null, { isValid: true }],
  [null, AFTER, { isValid: true }],
  [null, INSTANT, { isValid: false, end: 'Expired', at: INSTANT }],
  [null, BEFORE, { isValid: false, end: 'Expired', at: BEFORE }],
  [BEFORE, AFTER, { isValid: false, end: 'Revoked', at: BEFORE }],
  [INSTANT, BEFORE, { isValid: false, end: 'Revoked', at: INSTANT }],
])('a key revoked at %s that expires at %s', (revoked_at, expires_at, life) =>
  expect(validityOf({ revoked_at, expires_at }, now)).toEqual(life),
);
