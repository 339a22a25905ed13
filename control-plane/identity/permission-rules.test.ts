import { expect, test } from 'vitest';
import { contract } from '#contract/index.ts';
import { permissions, type Route, roles } from '#contract/route.ts';
import {
  type Privileges,
  excessOf,
  privilegesOfKey,
  privilegesOfUser,
  includesRole,
  mayCall,
  grantablePrivileges,
  reduceGrant,
} from './permission-rules.ts';

/** Every subset of the permissions. */
const sets = Array.from({ length: 2 ** permissions.length }, (_, bits) =>
  permissions.filter((_permission, i) => bits & (1 << i)),
);
const all: Privileges[] = [null, ...roles].flatMap((role) =>
  sets.map((held) => ({ role, permissions: held })),
);
const routes = Object.values(contract).flatMap((group): Route[] => Object.values(group));
/**
 * One route for each set of requirements, because routes with the same requirements behave the
 * same.
 */
const gates = [
  ...new Map(
    routes.map((route) => [`${route.auth} ${route.role} ${route.permission}`, route]),
  ).values(),
];

const grantOf = ({ role, permissions }: Privileges) => ({
  roles: role ? [role] : [],
  permissions,
});
const pairs = all.flatMap((maker) =>
  all.map((requested): [Privileges, Privileges] => [maker, requested]),
);
/** Whether these privileges can call a route, directly or through an equivalent kind of credential. */
const opensAsEqual = (held: Privileges, route: Route): boolean =>
  mayCall(held, route) ||
  (includesRole(held.role, 'admin') && mayCall({ role: null, permissions }, route)) ||
  (held.permissions.length === permissions.length &&
    mayCall({ role: 'admin', permissions: [] }, route));

test('a grantable credential opens no route that its creator cannot call', () => {
  const wrong: unknown[] = [];
  let granted = 0;
  for (const maker of all)
    for (const requested of all) {
      if (excessOf({ ...maker, until: Infinity }, grantOf(requested))) continue;
      granted += 1;
      for (const route of gates)
        if (mayCall(requested, route) && !opensAsEqual(maker, route))
          wrong.push([maker, requested, route.path]);
    }
  expect(wrong).toEqual([]);
  // Each credential can grant its own privileges, and an administrator can grant everything but
  // owners, so the rule does not reject everything.
  expect(granted).toBeGreaterThan(all.length);
});

test('a rejection names exactly the missing permissions', () => {
  const wrong = pairs.filter(([maker, requested]) => {
    const reach = grantablePrivileges(maker);
    const excess = excessOf({ ...maker, until: Infinity }, grantOf(requested));
    const missing = requested.permissions.filter((one) => !reach.permissions.includes(one));
    const lacksRole = requested.role !== null && !includesRole(reach.role, requested.role);
    return (
      (excess?.permissions ?? []).join() !== missing.join() ||
      (excess?.roles ?? []).join() !== (lacksRole ? requested.role : '')
    );
  });
  expect(wrong).toEqual([]);
});

test('a reduced grant is a subset of the grant, and grantable by its creator', () => {
  const wrong = pairs.filter(([maker, requested]) => {
    const grant = grantOf(requested);
    const reduced = reduceGrant(grant, maker);
    const holder = { ...maker, until: Infinity };
    const isOfGrant =
      reduced.roles.every((role) => grant.roles.includes(role)) &&
      reduced.permissions.every((one) => grant.permissions.includes(one));
    const isWhole =
      reduced.roles.length === grant.roles.length &&
      reduced.permissions.length === grant.permissions.length;
    return (
      !isOfGrant ||
      excessOf(holder, reduced) !== null ||
      isWhole !== (excessOf(holder, grant) === null)
    );
  });
  expect(wrong).toEqual([]);
});

test('expiring credentials create only expiring ones', () => {
  const maker = { role: null, permissions, until: 1000 };
  expect(excessOf(maker, { permissions })).toBeNull();
  expect(excessOf(maker, { permissions, neverExpires: true })).toEqual({
    roles: [],
    permissions: [],
    outlives: true,
  });
});

test.each([
  ['that works', {}, { role: null, permissions: ['record'], until: Infinity }],
  ['that expires', { expires_at: 11 }, { role: null, permissions: ['record'], until: 11 }],
  ['that has expired', { expires_at: 10 }, null],
  ['that is revoked', { revoked_at: 10 }, null],
])('a key %s', (_what, fields, expected) => {
  const key = { permissions: ['record' as const], expires_at: null, revoked_at: null, ...fields };
  expect(privilegesOfKey(key, 10)).toEqual(expected);
});

test.each([
  ['one at work', {}, 'admin'],
  ['one whose password was reset', { must_change_password: 1 }, null],
  ['one with a provider too', { must_change_password: 1, oidc_subject: 'ada' }, 'admin'],
])('the role of a user: %s', (_what, fields, role) => {
  const user = {
    role: 'admin' as const,
    disabled: 0,
    oidc_subject: null,
    must_change_password: 0,
    password_changed_at: null,
    created_at: 0,
    password_max_age_days: null,
    ...fields,
  };
  expect(privilegesOfUser(user, 10)?.role).toBe(role);
  expect(privilegesOfUser({ ...user, disabled: 1 }, 10)).toBeNull();
});
