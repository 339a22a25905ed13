import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { permissions as allPermissions, type Role, roles as allRoles } from '#contract/route.ts';
import { type Privileges, mayCall } from '#control-plane/identity/permission-rules.ts';
import { databases } from '../support/databases.ts';
import { authenticatedRoutes, mapWithConcurrency } from '../support/route-access.ts';
import {
  keyHeaders,
  PASSWORD,
  bearer,
  EXPIRY,
  rank,
  nameOf,
  setUpCredentialIssuers,
  type Headers,
  type Issuer,
  type Target,
  type IssuedCredential,
} from '../support/credential-issuers.ts';

/** Generous, for a busy machine. */
const PATIENCE = 600_000;

describe.each(databases)('what credentials can create, on %s', (kind) => {
  const world = setUpCredentialIssuers(kind);
  const {
    grants,
    fullAccess,
    freshEmail,
    signIn,
    requestSuccessfully,
    call,
    changeKey,
    newUser,
    newKey,
    newToken,
    openRoutes,
    allIssuers,
    allTargets,
    expectTokensIssueNothing,
  } = world;

  /**
   * Compares the access checks of all routes with the rules. One credential of each kind represents
   * all of that kind.
   */
  test(
    'a credential can access exactly the routes of its authority',
    async () => {
      const credentials: Issuer[] = (await allIssuers()).filter(
        ({ expiresAt }) => expiresAt === Infinity,
      );
      for (const grant of fc.sample(fc.constantFrom(...grants), { numRuns: 12, seed: 14 })) {
        const issued = await newToken(world.owner, grant);
        const headers = bearer(issued?.body.token);
        credentials.push({ ...grant, name: `token ${nameOf(grant)}`, headers, expiresAt: 0 });
      }
      for (const { name, headers, ...authority } of credentials) {
        const expected = authenticatedRoutes
          .filter(([, route]) => mayCall(authority, route))
          .map(([one]) => one);
        const found = await openRoutes(headers, authenticatedRoutes);
        // A token can neither create nor revoke keys, whatever other administration it allows.
        const refused = name.startsWith('token') ? ['identity.revokeApiKey'] : [];
        expect({ name, open: [...found] }).toEqual({
          name,
          open: expected.filter((one) => !refused.includes(one)),
        });
      }
    },
    PATIENCE,
  );

  test(
    'no credential can create another with access to more routes',
    async () => {
      const [makers, targets] = [await allIssuers(), allTargets()];
      const administrator = await openRoutes(await signIn(newUser('admin').email));
      const complete = await openRoutes(fullAccess);
      const known = new Map<string, Set<string>>();
      const openToMade = async (
        { kind: of }: Target,
        { headers }: IssuedCredential,
        again: boolean,
      ) => {
        const found = known.get(of);
        if (found && !again) return found;
        const walked = await openRoutes(typeof headers === 'function' ? await headers() : headers);
        expect([of, walked]).toEqual([of, found ?? walked]);
        known.set(of, walked);
        return walked;
      };
      const wrong: string[] = [];
      const madeBy = new Map<string, Set<string>>();
      const tokens: { name: string; headers: Headers }[] = [];
      let all = 0;
      for (const maker of makers) {
        const own = await openRoutes(maker.headers);
        // An administrator and a key with all permissions have equal authority: each can create the
        // other.
        const isAdministrator = rank(maker.role) >= rank('admin');
        if (isAdministrator) for (const name of complete) own.add(name);
        if (maker.permissions.length === allPermissions.length)
          for (const name of administrator) own.add(name);
        const mine = new Set<string>();
        madeBy.set(maker.name, mine);
        await mapWithConcurrency(targets, async (target) => {
          const made = await target.issue(maker.headers);
          if (!made) return;
          all += 1;
          mine.add(target.kind);
          const more = [...(await openToMade(target, made, all % 50 === 0))].filter(
            (name) => !own.has(name),
          );
          if (more.length > 0 || made.expiresAt > maker.expiresAt)
            wrong.push(`${maker.name} made ${target.kind}: ${more.join()} until ${made.expiresAt}`);
          const isToken = target.kind.startsWith('token') && maker.expiresAt === Infinity;
          if (isToken && typeof made.headers !== 'function')
            tokens.push({ name: `${maker.name} > ${target.kind}`, headers: made.headers });
        });
      }
      expect(wrong).toEqual([]);
      // The rule refuses nothing else: an owner can create everything, and so on down.
      const kinds = [...new Set(targets.map((target) => target.kind))];
      const withoutOwners = kinds.filter((one) => !/owner/.test(one));
      expect([...(madeBy.get('session owner') ?? [])].toSorted()).toEqual(kinds.toSorted());
      for (const name of ['session admin', `key ${allPermissions.join()}`])
        expect([name, [...(madeBy.get(name) ?? [])].toSorted()]).toEqual([
          name,
          withoutOwners.toSorted(),
        ]);
      expect([...(madeBy.get('key admin') ?? [])].toSorted()).toEqual([
        'key admin',
        'token -/',
        'token -/admin',
      ]);
      for (const name of ['session viewer', 'session analyst', 'key record', 'profile'])
        expect([name, [...(madeBy.get(name) ?? [])]]).toEqual([name, []]);
      await expectTokensIssueNothing(tokens, targets);
    },
    PATIENCE,
  );

  describe('a token loses the access that its issuer loses:', () => {
    /** Each grant separately, to test each one, and all of them together. */
    const given: Privileges[] = [
      ...allRoles.map((role) => ({ role, permissions: [] })),
      ...allPermissions.map((one) => ({ role: null, permissions: [one] })),
      { role: 'admin', permissions: allPermissions },
      { role: 'owner', permissions: allPermissions },
    ];
    const tokensOf = async (issuer: Headers) => {
      const issued = await Promise.all(given.map((grant) => newToken(issuer, grant)));
      return issued.flatMap((one) => (one ? [bearer(one.body.token)] : []));
    };
    const nothing = new Set<string>();
    /** The routes that the issuer may access now, determined with a session or key. */
    const nowOpenTo = async (issuer: Headers, isAdministrator = false): Promise<Set<string>> => {
      const own = await openRoutes(issuer);
      // An administrator and a key with every permission have equal authority.
      return isAdministrator ? own.union(await openRoutes(fullAccess)) : own;
    };
    const expectWithin = async (tokens: readonly Headers[], allowed: Set<string>) => {
      for (const token of tokens)
        expect([...(await openRoutes(token))].filter((name) => !allowed.has(name))).toEqual([]);
    };
    const expectSomething = async (tokens: readonly Headers[]) => {
      expect(tokens.length).toBeGreaterThan(2);
      const sizes = await Promise.all(tokens.map(async (token) => (await openRoutes(token)).size));
      expect(Math.min(...sizes)).toBeGreaterThan(0);
    };
    const validate = async (token: Headers) =>
      (
        await requestSuccessfully(world.owner, 'POST', '/svc/v1/identity/sub-users/validate/', {
          token: token.Authorization?.replace('Bearer ', ''),
        })
      ).valid;

    test.each(
      (['owner', 'admin'] as const).flatMap((from) =>
        allRoles
          .filter((to) => rank(to) < rank(from))
          .map((to): [from: Role, to: Role] => [from, to]),
      ),
    )('an %s who becomes %s', { timeout: PATIENCE }, async (from, to) => {
      const { email, path } = newUser(from);
      const session = await signIn(email);
      const tokens = await tokensOf(session);
      await expectSomething(tokens);
      await requestSuccessfully(world.owner, 'PATCH', path, { role: to });
      await expectWithin(tokens, await nowOpenTo(session, to === 'admin'));
    });

    test.each<
      [string, boolean, (user: ReturnType<typeof newUser>, own: Headers) => Promise<unknown>]
    >([
      [
        'disabled',
        false,
        ({ path }) => requestSuccessfully(world.owner, 'PATCH', path, { disabled: true }),
      ],
      ['deleted', false, ({ path }) => requestSuccessfully(world.owner, 'DELETE', path)],
      [
        'given a new password',
        false,
        ({ path }) => requestSuccessfully(world.owner, 'POST', `${path}reset-password/`),
      ],
      [
        'taking a new password',
        false,
        (_user, own) =>
          requestSuccessfully(own, 'POST', '/api/v1/auth/password/', {
            current_password: PASSWORD,
            new_password: `${PASSWORD} too`,
          }),
      ],
      [
        'held up by a password that is too old',
        true,
        async () => {
          await requestSuccessfully(world.owner, 'PUT', '/api/v1/auth/settings/', {
            password_max_age_days: 1,
          });
          world.setTime(Date.now() + 25 * 3_600_000);
        },
      ],
    ])('an administrator who is %s', { timeout: PATIENCE }, async (_what, isStillValid, lose) => {
      const user = newUser('admin');
      const session = await signIn(user.email);
      const body = { sub_user_id: 'x', expires_in: 30 * 24 * 3600, roles: ['admin'] };
      const long = await requestSuccessfully(
        session,
        'POST',
        '/svc/v1/identity/sub-users/token/',
        body,
      );
      const tokens = [...(await tokensOf(session)), bearer(long.token)];
      await expectSomething(tokens);
      await lose(user, session);
      // No token may give access now, even if it is still valid.
      await expectWithin(tokens, nothing);
      world.setTime(undefined);
      await requestSuccessfully(world.owner, 'PUT', '/api/v1/auth/settings/', {
        password_max_age_days: null,
      });
      expect(await validate(bearer(long.token))).toBe(isStillValid);
    });

    test.each<[string, (key: { id: string; path: string }) => Promise<unknown>]>([
      ['revoked', ({ path }) => requestSuccessfully(world.owner, 'DELETE', path)],
      [
        'rotated',
        ({ path }) =>
          requestSuccessfully(world.owner, 'POST', `${path}rotate/`, { overlap_seconds: 0 }),
      ],
      ['expired', () => Promise.resolve(world.setTime(EXPIRY))],
    ])('a key that is %s', { timeout: PATIENCE }, async (_what, lose) => {
      const { id, key } = await newKey(allPermissions, EXPIRY);
      const issuer = keyHeaders(key);
      const tokens = await tokensOf(issuer);
      await expectSomething(tokens);
      await lose({ id: String(id), path: `/api/v1/auth/api-keys/${String(id)}/` });
      await expectWithin(tokens, nothing);
      expect(await openRoutes(issuer)).toEqual(nothing);
    });

    /**
     * No route changes a key's permissions, so the test changes the database. The process caches
     * keys and gets no signal.
     */
    test.each(allPermissions)(
      'a key that loses the permission "%s"',
      { timeout: PATIENCE },
      async (lost) => {
        const { id, key } = await newKey(allPermissions);
        const tokens = await tokensOf(keyHeaders(key));
        await expectSomething(tokens);
        const left = allPermissions.filter((one) => one !== lost);
        await changeKey(id, { permissions: JSON.stringify(left) });
        const like = keyHeaders((await newKey(left)).key);
        await expectWithin(tokens, await nowOpenTo(like));
      },
    );

    test('a tenant that is suspended', { timeout: PATIENCE }, async () => {
      const sub = await requestSuccessfully(fullAccess, 'POST', '/svc/v1/sub-tenants/', {
        name: 'Suspended',
      });
      const tokens = await tokensOf(keyHeaders(sub.api_key));
      await expectSomething(tokens);
      await requestSuccessfully(
        fullAccess,
        'POST',
        `/svc/v1/sub-tenants/${String(sub.id)}/suspend/`,
        {},
      );
      await expectWithin(tokens, nothing);
    });
  });

  /**
   * Simulates a process that the signal has not reached and that caches the key for five seconds.
   */
  test('a key that was revoked a moment ago and is still cached creates nothing', async () => {
    const { id, key } = await newKey(allPermissions);
    const headers = keyHeaders(key);
    await requestSuccessfully(headers, 'GET', '/api/v1/auth/users/');
    await changeKey(id, { revoked_at: Date.now() });
    const requests: [string, object][] = [
      ['/api/v1/auth/api-keys/', { name: 'made', permissions: ['record'] }],
      ['/api/v1/auth/users/', { email: freshEmail(), role: 'viewer' }],
      ['/svc/v1/identity/sub-users/token/', { sub_user_id: 'x' }],
      ['/svc/v1/sub-tenants/', { name: 'made' }],
    ];
    for (const [path, body] of requests)
      expect((await call(headers, 'POST', path, body)).status).toBe(401);
    const profile = await call(headers, 'GET', '/api/svc/v1/endpoint/mdm-profile/');
    expect(profile.status).toBe(401);
  });
});
