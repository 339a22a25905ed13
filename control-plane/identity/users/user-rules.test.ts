import { expect, test } from 'vitest';
import { type Role, roles } from '#contract/route.ts';
import { gainsPrivileges, isPasswordOld, losesOwner, mayManage } from './user-rules.ts';
import { DAY_MS } from '#lib/time-units.ts';

test.each([
  ['one that was made for them', { must_change_password: 1 }, true],
  ['any, where none grows old', { password_max_age_days: null }, false],
  ['one as old as it may be', { created_at: 0, password_max_age_days: 10 }, false],
  ['one that is older', { created_at: -1, password_max_age_days: 10 }, true],
  [
    'one changed since',
    { created_at: -1, password_changed_at: 1, password_max_age_days: 10 },
    false,
  ],
])('%s must be changed: %j, %j', (_what, fields, expected) => {
  const user = {
    must_change_password: 0,
    password_changed_at: null,
    created_at: 0,
    password_max_age_days: null,
    ...fields,
  };
  expect(isPasswordOld(user, 10 * DAY_MS)).toBe(expected);
});

test('only owners can create or change owners', () => {
  const allowed = roles.flatMap((manager) =>
    roles.filter((role) => mayManage(manager, 'viewer', role)).map((role) => `${manager} ${role}`),
  );
  expect(allowed.filter((pair) => pair.endsWith('owner'))).toEqual(['owner owner']);
  expect(mayManage('admin', 'viewer', undefined)).toBe(true);
});

const owner: { role: Role; disabled: number } = { role: 'owner', disabled: 0 };
test.each([
  [owner, owner, false],
  [owner, { ...owner, role: 'admin' as const }, true],
  [owner, { ...owner, disabled: 1 }, true],
  [owner, null, true],
  [{ ...owner, disabled: 1 }, null, false],
  [{ ...owner, role: 'admin' as const }, null, false],
])('the change from %j to %j removes an owner: %j', (before, after, lost) => {
  expect(losesOwner(before, after)).toBe(lost);
});

const admin: { role: Role; disabled: number } = { role: 'admin', disabled: 0 };
const viewer = { ...admin, role: 'viewer' as const };
test.each([
  [viewer, viewer, false],
  [viewer, admin, true],
  [admin, viewer, false],
  [viewer, { ...admin, disabled: 1 }, false],
  [{ ...viewer, disabled: 1 }, viewer, true],
  [{ ...admin, disabled: 1 }, viewer, true],
])('the change from %j to %j gives a user more privileges: %j', (before, after, expected) => {
  expect(gainsPrivileges(before, after)).toBe(expected);
});
