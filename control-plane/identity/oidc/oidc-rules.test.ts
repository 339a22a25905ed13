import { expect, test } from 'vitest';
import { isAllowed, mappedRole, verifiedEmail } from './oidc-rules.ts';

const roleMap = { staff: 'analyst', ops: 'admin', root: 'owner' } as const;

test.each([
  ['a single value', 'group', { group: 'ops' }, 'admin'],
  ['the strongest of several', 'group', { group: ['staff', 'ops', 'others'] }, 'admin'],
  ['none that is known', 'group', { group: ['others'] }, undefined],
  ['no such claim', 'group', {}, undefined],
  ['within an object', 'realm.roles', { realm: { roles: ['root'] } }, 'owner'],
  ['a name with a dot', 'https://x.test/groups', { 'https://x.test/groups': ['staff'] }, 'analyst'],
  ['what every object has', 'group', { group: 'constructor' }, undefined],
  ['nothing to look at', undefined, { group: 'root' }, undefined],
])('%s', (_what, roleClaim, claims, role) => {
  expect(mappedRole(claims, { roleClaim, roleMap })).toBe(role);
});

test.each([
  [{ email: 'Ada@Example.test', email_verified: true }, 'ada@example.test'],
  [{ email: 'ada@example.test', email_verified: 'true' }, 'ada@example.test'],
  [{ email: 'ada@example.test', email_verified: false }, null],
  [{ email: 'ada@example.test', email_verified: 'false' }, null],
  [{ email: 'ada@example.test' }, null],
  [{ email: 'ada', email_verified: true }, null],
  [{ email: 'a@b@c.test', email_verified: true }, null],
  [{ email_verified: true }, null],
])('the email of %j is %j', (claims, email) => {
  expect(verifiedEmail(claims)).toBe(email);
});

test.each([
  ['ada@example.test', ['example.test'], true],
  ['ada@sub.example.test', ['example.test'], false],
  ['ada@notexample.test', ['example.test'], false],
  ['ada@other.test', ['example.test', 'other.test'], true],
  ['ada@any.test', undefined, true],
])('%s with %j: %j', (email, domains, allowed) => {
  expect(isAllowed(email, domains)).toBe(allowed);
});
