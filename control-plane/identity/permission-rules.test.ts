import { expect, test } from 'vitest';
import { contract } from '#contract/index.ts';
import { permissions, type Route, roles } from '#contract/route.ts';
import {
  type Authority,
  beyond,
  holderOfKey,
  holderOfUser,
  includesRole,
  opens,
  reachOf,
  within,
} from './permission-rules.ts';

/** Every subset of the permissions. */
const sets = Array.from({ length: 2 ** permissions.length }, (_, bits) =>
  permissions.filter((_permission, i) => bits & (1 << i)),
);
const all: Authority[] = [null, ...roles].flatMap((role) =>
  sets.map((held) => ({ role, permissions: held })),
);
const routes = Object.values(contract).flatMap((group): Route[] => Object.values(group));
/** Routes that ask for the same are opened by the same. */
const gates = [
  ...new Map(
    routes.map((route) => [`${route.auth} ${route.role} ${route.permission}`, route]),
  ).values(),
];

const grantOf = ({ role, permissions: given }: Authority) => ({
  roles: role ? [role] : [],
  permissions: given,
});
const pairs = all.flatMap((maker) => all.map((wanted): [Authority, Authority] => [maker, wanted]));
/** What an authority opens by itself, or by one of the two kinds of credentials that are its equal. */
const opensAsEqual = (held: Authority, route: Route): boolean =>
  opens(held, route) ||
  (includesRole(held.role, 'admin') && opens({ role: null, permissions }, route)) ||
  (held.permissions.length === permissions.length &&
    opens({ role: 'admin', permissions: [] }, route));

test('what may be given opens nothing that its maker does not open', () => {
  const wrong: unknown[] = [];
  let given = 0;
  for (const maker of all)
    for (const wanted of all) {
      if (beyond({ ...maker, until: Infinity }, grantOf(wanted))) continue;
      given += 1;
      for (const route of gates)
        if (opens(wanted, route) && !opensAsEqual(maker, route))
          wrong.push([maker, wanted, route.path]);
    }
  expect(wrong).toEqual([]);
  // Each gives itself, and an administrator gives everything but owners: the rule refuses not all.
  expect(given).toBeGreaterThan(all.length);
});

test('what is refused names exactly what is missing', () => {
  const wrong = pairs.filter(([maker, wanted]) => {
    const reach = reachOf(maker);
    const excess = beyond({ ...maker, until: Infinity }, grantOf(wanted));
    const missing = wanted.permissions.filter((one) => !reach.permissions.includes(one));
    const lacksRole = wanted.role !== null && !includesRole(reach.role, wanted.role);
    return (
      (excess?.permissions ?? []).join() !== missing.join() ||
      (excess?.roles ?? []).join() !== (lacksRole ? wanted.role : '')
    );
  });
  expect(wrong).toEqual([]);
});

test('what is left of a grant is of the grant, and may be given by its maker', () => {
  const wrong = pairs.filter(([maker, wanted]) => {
    const grant = grantOf(wanted);
    const left = within(grant, maker);
    const holder = { ...maker, until: Infinity };
    const isOfGrant =
      left.roles.every((role) => grant.roles.includes(role)) &&
      left.permissions.every((one) => grant.permissions.includes(one));
    const isWhole =
      left.roles.length === grant.roles.length &&
      left.permissions.length === grant.permissions.length;
    return (
      !isOfGrant || beyond(holder, left) !== null || isWhole !== (beyond(holder, grant) === null)
    );
  });
  expect(wrong).toEqual([]);
});

test('what expires makes nothing that lasts', () => {
  const maker = { role: null, permissions, until: 1000 };
  expect(beyond(maker, { permissions })).toBeNull();
  expect(beyond(maker, { permissions, lasts: true })).toEqual({
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
])('a key %s', (_what, given, expected) => {
  const key = { permissions: ['record' as const], expires_at: null, revoked_at: null, ...given };
  expect(holderOfKey(key, 10)).toEqual(expected);
});

test.each([
  ['one at work', {}, 'admin'],
  ['one whose password was reset', { must_change_password: 1 }, null],
  ['one with a provider too', { must_change_password: 1, oidc_subject: 'ada' }, 'admin'],
])('of users, %s', (_what, given, role) => {
  const user = {
    role: 'admin' as const,
    disabled: 0,
    oidc_subject: null,
    must_change_password: 0,
    password_changed_at: null,
    created_at: 0,
    password_max_age_days: null,
    ...given,
  };
  expect(holderOfUser(user, 10)?.role).toBe(role);
  expect(holderOfUser({ ...user, disabled: 1 }, 10)).toBeNull();
});
