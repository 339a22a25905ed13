import { expect, test } from 'vitest';
import { redactedIn } from './redacted-in.ts';

test.each([
  [{}, { total: 0, kinds: '' }],
  [{ EMAIL: 0 }, { total: 0, kinds: '' }],
  [
    { API_KEY: 1, IBAN: 1, EMAIL: 1200 },
    { total: 1202, kinds: '1,200 × EMAIL, 1 × API_KEY, 1 × IBAN' },
  ],
])('%j', (redactions, expected) => {
  expect(redactedIn(redactions)).toEqual(expected);
});
