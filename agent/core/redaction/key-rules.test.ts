import { expect, test } from 'vitest';
import { keyRules, pathTo } from './key-rules.ts';

const rules = keyRules([
  { key: 'Password', type: 'SECRET' },
  { key: 'customer.email', type: 'EMAIL' },
  { key: 'metadata.*.iban', type: 'IBAN' },
  { key: 'private.*', type: 'PRIVATE' },
  { key: '*.phone', type: 'PHONE' },
]);

test.each([
  ['password', 'SECRET'],
  ['PASSWORD', 'SECRET'],
  ['a.b.password', 'SECRET'],
  ['passwords', undefined],
  ['email', undefined],
  ['customer.email', 'EMAIL'],
  ['metadata.customer.email', 'EMAIL'],
  ['customer.address.email', undefined],
  ['metadata.x.iban', 'IBAN'],
  ['metadata.iban', undefined],
  ['private.anything', 'PRIVATE'],
  ['private', undefined],
  ['phone', undefined],
  ['a.phone', 'PHONE'],
  ['private.password', 'SECRET'],
])('%s is %s', (path, expected) => {
  const nested = path.split('.').reduce(pathTo, [] as readonly string[]);
  expect([rules.typeAt(nested), rules.typeAt(pathTo([], path))]).toEqual([expected, expected]);
});
