import { expect, test } from 'vitest';
import { type MemberPath, memberRules } from './member-rules.ts';

const rules = memberRules([
  { key: 'Password', type: 'SECRET' },
  { key: 'customer.email', type: 'EMAIL' },
  { key: 'metadata.*.iban', type: 'IBAN' },
  { key: 'private.*', type: 'PRIVATE' },
  { key: '*.phone', type: 'PHONE' },
  { key: 'İD', type: 'PLACE' },
  { key: 'token', type: 'TOKEN' },
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
  ['straße.STRASSE.İd', 'PLACE'],
  ['toKen', 'TOKEN'],
])('%s is %s', (path, expected) => {
  const nested = path
    .split('.')
    .reduce<MemberPath | undefined>((parent, member) => ({ member, parent }), undefined);
  expect([nested, { member: path, parent: undefined }].map((at) => at && rules.typeAt(at))).toEqual(
    [expected, expected],
  );
});
