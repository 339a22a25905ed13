import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  type Permission,
  permissions as allPermissions,
  type Role,
  roles as allRoles,
} from '#contract/route.ts';
import { type Authority, mayCall } from '#control-plane/identity/permission-rules.ts';
import { hashPassword } from '#control-plane/identity/password/passwords.ts';
import { openStorage, type Storage } from '#control-plane/storage/open.ts';
import { API_KEY, OWNER, startOn } from '../support/control-plane.ts';
import { databases, newDatabase, type TestDatabase } from '../support/databases.ts';
import {
  authenticatedRoutes,
  inTurn,
  oneOfEach,
  routesOpenTo,
  permissionSets,
  send,
} from '../support/gate.ts';

type Headers = Record<string, string>;
type Body = Record<string, unknown>;

/** A credential that makes others. */
interface Maker extends Authority {
  name: string;
  headers: Headers;
  /** When it expires; Infinity: never. */
  until: number;
}

interface Made {
  headers: Headers | (() => Promise<Headers>);
  until: number;
}

/** An attempt to make a credential. */
interface Target {
  /** What tells the new credential from others: of one kind all are let in by the same routes. */
  kind: string;
  /** Null for a refusal. */
  make(by: Headers): Promise<Made | null>;
}

const PASSWORD = 'seven lakes and a boat';
/** When credentials expire that do. */
const END = Date.UTC(2100, 0);
/** For a machine that is busy with other things. */
const PATIENCE = 600_000;

const nameOf = ({ role, permissions }: Authority) => `${role ?? '-'}/${permissions.join()}`;
const keyHeaders = (key: unknown): Headers => ({ 'X-Svc-Key': String(key) });
const bearer = (token: unknown): Headers => ({ Authorization: `Bearer ${String(token)}` });
const untilOf = (iso: unknown): number => (typeof iso === 'string' ? Date.parse(iso) : Infinity);
const rank = (role: Role | null): number => (role ? allRoles.indexOf(role) : -1);

describe.each(databases)('what credentials make, on %s', (kind) => {
  // Everything on one database; on the other, which answers more slowly, some of each kind.
  const isWhole = kind === 'sqlite';
  const some = ['', 'record', 'enroll', 'admin', 'enroll,admin', allPermissions.join()];
  const asked = permissionSets.filter((set) => isWhole || some.includes(set.join()));
  const sets = asked.filter((set) => set.length > 0);
  const grants: Authority[] = [null, ...allRoles].flatMap((role) =>
    asked.map((permissions) => ({ role, permissions })),
  );

  let database: TestDatabase;
  let controlPlane: Awaited<ReturnType<typeof startOn>>['controlPlane'];
  let setTime: (now: number | undefined) => void;
  /** Beside the control plane, to bring targets back to where they were. */
  let storage: Storage;
  let tenant_id: string;
  const full = keyHeaders(API_KEY);
  let owner: Headers;

  beforeAll(async () => {
    database = await newDatabase(kind);
    ({ controlPlane, setTime } = await startOn(database, { SQLITE_SYNCHRONOUS: 'normal' }));
    storage = await openStorage({ ...database, onProblem: () => undefined });
    const { db } = storage;
    if (kind === 'sqlite') await sql`pragma busy_timeout = 1`.execute(db);
    ({ tenant_id } = await db.selectFrom('users').select('tenant_id').executeTakeFirstOrThrow());
    const password_hash = await hashPassword(PASSWORD);
    // All at once, with a password that is known: hashing takes its time.
    const created_at = Date.now();
    const rows = spareUsers.map((user) => ({ tenant_id, ...user, password_hash, created_at }));
    await vi.waitFor(() => db.insertInto('users').values(rows).execute(), { timeout: 50_000 });
    owner = await signIn(OWNER.email, OWNER.password);
  });
  afterEach(() => setTime(undefined));
  afterAll(async () => {
    await storage.close();
    await controlPlane.close();
    await database.remove();
  });

  const call = (headers: Headers, method: string, path: string, body?: object) =>
    send(`${controlPlane.urls.public}${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
  type Asked = Parameters<typeof call>;
  const must = async (...asked: Asked): Promise<Body> => {
    const { status, text, body } = await call(...asked);
    if (status >= 300) throw new Error(`${asked[1]} ${asked[2]}: ${status} ${text}`);
    return body;
  };
  /** Null for a refusal; whatever else is not done is a fault of this test. */
  const attempt = async (...asked: Asked) => {
    const answer = await call(...asked);
    const { status, text } = answer;
    if (status < 300) return answer;
    const wouldOutlive = status === 400 && text.includes('when your own API key expires');
    if (status === 401 || status === 403 || wouldOutlive) return null;
    throw new Error(`${asked[1]} ${asked[2]}: ${status} ${text}`);
  };
  const signIn = async (email: string, password = PASSWORD): Promise<Headers> =>
    bearer((await must({}, 'POST', '/api/v1/auth/login/', { email, password })).token);

  let count = 0;
  const freshEmail = (): string => `user-${(count += 1)}@example.test`;
  /** Beside the control plane, so that it hears nothing of it. */
  const changeKey = (id: unknown, change: { permissions?: string; revoked_at?: number }) =>
    // SQLite: whoever waits for the other's lock holds up this process, the other too.
    vi.waitFor(
      () => storage.db.updateTable('api_keys').set(change).where('id', '=', String(id)).execute(),
      { timeout: 50_000 },
    );
  const spareUsers = allRoles.flatMap((role) =>
    Array.from({ length: 20 }, () => {
      const email = freshEmail();
      return { id: `usr_${email}`, email, role };
    }),
  );
  /** One whom nothing else of this test uses. */
  const newUser = (role: Role) => {
    const [user] = spareUsers.splice(
      spareUsers.findIndex((spare) => spare.role === role),
      1,
    );
    if (user?.role !== role) throw new Error(`no ${role} is left`);
    return { ...user, path: `/api/v1/auth/users/${user.id}/` };
  };
  const newKey = (permissions: readonly Permission[], expires_at?: number) =>
    must(owner, 'POST', '/api/v1/auth/api-keys/', {
      name: 'made',
      permissions,
      ...(expires_at && { expires_at: new Date(expires_at).toISOString() }),
    });
  const newToken = async (by: Headers, { role, permissions }: Authority) =>
    attempt(by, 'POST', '/svc/v1/identity/sub-users/token/', {
      sub_user_id: 'ada',
      roles: ['agent_user', ...(role ? [role] : [])],
      permissions: ['agents:trigger', ...permissions],
    });
  const open = (headers: Headers, routes = oneOfEach) =>
    routesOpenTo(controlPlane.urls, headers, routes);

  async function keyIn(profile: string): Promise<string> {
    const { materializeManagedConfig } = await import('#profile-builder/materialize.ts');
    const { parseBinary } = await import('plist');
    const config = parseBinary(materializeManagedConfig(profile).plist) as Body;
    return String(config.api_key);
  }

  /** Every kind of credential that could make another, but for tokens of sub-users. */
  async function allMakers(): Promise<Maker[]> {
    // What expires gives the same, for a shorter time: some of them show it.
    const ending = sets.filter(({ length }) => length !== 2 && length !== 3);
    const lives = [
      ...sets.map((permissions) => ({ permissions, until: Infinity })),
      ...ending.map((permissions) => ({ permissions, until: END })),
    ];
    const keys = lives.map(async ({ permissions, until }): Promise<Maker> => {
      const { key } = await newKey(permissions, until === Infinity ? undefined : until);
      const name = `key ${permissions.join()}${until === Infinity ? '' : ' that expires'}`;
      return { name, role: null, permissions, until, headers: keyHeaders(key) };
    });
    const sessions = allRoles.map(async (role): Promise<Maker> => {
      const headers = await signIn(newUser(role).email);
      return { name: `session ${role}`, role, permissions: [], until: Infinity, headers };
    });
    const profile = await call(full, 'GET', '/api/svc/v1/endpoint/mdm-profile/');
    const enrolling = keyHeaders(await keyIn(profile.text));
    return [
      ...(await Promise.all([...keys, ...sessions])),
      {
        name: 'profile',
        role: null,
        permissions: ['enroll'],
        until: Infinity,
        headers: enrolling,
      },
    ];
  }

  function allTargets(): Target[] {
    const keys = sets.flatMap((permissions): Target[] =>
      [null, END].map((end) => ({
        kind: `key ${permissions.join()}`,
        async make(by) {
          const expires_at = end === null ? undefined : new Date(end).toISOString();
          const body = { name: 'made', permissions, expires_at };
          const made = await attempt(by, 'POST', '/api/v1/auth/api-keys/', body);
          return made && madeKey(made.body);
        },
      })),
    );
    const rotated = sets.map((permissions): Target => {
      let next: Promise<Body> | undefined;
      return {
        kind: `key ${permissions.join()}`,
        async make(by) {
          const { id } = await (next ??= newKey(permissions));
          const path = `/api/v1/auth/api-keys/${String(id)}/rotate/`;
          const made = await attempt(by, 'POST', path, {});
          if (!made) return null;
          // A second time it would be refused to anybody.
          next = undefined;
          return madeKey(made.body);
        },
      };
    });
    const madeKey = ({ key, expires_at }: Body): Made => ({
      headers: keyHeaders(key),
      until: untilOf(expires_at),
    });
    const users = allRoles.map((role): Target => ({
      kind: `user ${role}`,
      async make(by) {
        const email = freshEmail();
        const body = { email, role, password: PASSWORD, must_change_password: false };
        const made = await attempt(by, 'POST', '/api/v1/auth/users/', body);
        return made && { until: Infinity, headers: () => signIn(email) };
      },
    }));
    /** A user with a role who is changed. As long as nobody may, it is the same one. */
    const changed = (
      role: Role,
      {
        disabled = false,
        change,
      }: { disabled?: boolean; change: { role?: Role; disabled?: boolean } },
    ): Target => {
      const { email, path } = newUser(role);
      const before = () => must(owner, 'PATCH', path, { role, disabled });
      let ready: Promise<unknown> | undefined;
      return {
        kind: `user ${change.role ?? role}`,
        async make(by) {
          await (ready ??= before());
          if (!(await attempt(by, 'PATCH', path, change))) return null;
          ready = undefined;
          return { until: Infinity, headers: () => signIn(email) };
        },
      };
    };
    const reset = (role: Role): Target => {
      const { email, path } = newUser(role);
      return {
        kind: `user ${role}`,
        async make(by) {
          const made = await attempt(by, 'POST', `${path}reset-password/`);
          if (!made) return null;
          const headers = async () => {
            const current_password = String(made.body.initial_password);
            const session = await signIn(email, current_password);
            const body = { current_password, new_password: `${PASSWORD} ${(count += 1)}` };
            await must(session, 'POST', '/api/v1/auth/password/', body);
            return session;
          };
          return { until: Infinity, headers };
        },
      };
    };
    const changes = allRoles.flatMap((role) => [
      reset(role),
      changed(role, { disabled: true, change: { disabled: false } }),
      ...allRoles
        .filter((after) => rank(after) > rank(role))
        .map((after) => changed(role, { change: { role: after } })),
    ]);
    const tokens = grants.map((grant): Target => ({
      kind: `token ${nameOf(grant)}`,
      async make(by) {
        const made = await newToken(by, grant);
        return made && { headers: bearer(made.body.token), until: untilOf(made.body.expires_at) };
      },
    }));
    const profile: Target = {
      kind: 'key enroll',
      async make(by) {
        const made = await attempt(by, 'GET', '/api/svc/v1/endpoint/mdm-profile/');
        if (!made) return null;
        const key = await keyIn(made.text);
        const { results } = await must(owner, 'GET', '/api/v1/auth/api-keys/');
        const newest = (results as Body[]).find(({ name }) => String(name).startsWith('Profile'));
        return { headers: keyHeaders(key), until: untilOf(newest?.expires_at) };
      },
    };
    const subTenant: Target = {
      kind: 'sub-tenant',
      async make(by) {
        const body = { name: `Sub ${(count += 1)}` };
        const made = await attempt(by, 'POST', '/svc/v1/sub-tenants/', body);
        return made && { headers: keyHeaders(made.body.api_key), until: Infinity };
      },
    };
    return [...keys, ...rotated, ...users, ...changes, ...tokens, profile, subTenant];
  }

  /** The gate lets in those whom the rules say, by every route: a kind of route stands for all. */
  test(
    'the routes that let a credential in are those of its authority',
    async () => {
      const credentials: Maker[] = (await allMakers()).filter(({ until }) => until === Infinity);
      for (const grant of fc.sample(fc.constantFrom(...grants), { numRuns: 12, seed: 14 })) {
        const issued = await newToken(owner, grant);
        const headers = bearer(issued?.body.token);
        credentials.push({ ...grant, name: `token ${nameOf(grant)}`, headers, until: 0 });
      }
      for (const { name, headers, ...authority } of credentials) {
        const expected = authenticatedRoutes
          .filter(([, route]) => mayCall(authority, route))
          .map(([one]) => one);
        const found = await open(headers, authenticatedRoutes);
        // A token neither makes keys nor ends them, whatever else of administration it may do.
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
    'nothing that is made is let in where its maker is not',
    async () => {
      const [makers, targets] = [await allMakers(), allTargets()];
      const administrator = await open(await signIn(newUser('admin').email));
      const complete = await open(full);
      const known = new Map<string, Set<string>>();
      const openToMade = async ({ kind: of }: Target, { headers }: Made, again: boolean) => {
        const found = known.get(of);
        if (found && !again) return found;
        const walked = await open(typeof headers === 'function' ? await headers() : headers);
        expect([of, walked]).toEqual([of, found ?? walked]);
        known.set(of, walked);
        return walked;
      };
      const wrong: string[] = [];
      const madeBy = new Map<string, Set<string>>();
      const tokens: { name: string; headers: Headers }[] = [];
      let all = 0;
      for (const maker of makers) {
        const own = await open(maker.headers);
        // The two that are worth the same: each makes the other.
        const isAdministrator = rank(maker.role) >= rank('admin');
        if (isAdministrator) for (const name of complete) own.add(name);
        if (maker.permissions.length === allPermissions.length)
          for (const name of administrator) own.add(name);
        const mine = new Set<string>();
        madeBy.set(maker.name, mine);
        await inTurn(targets, async (target) => {
          const made = await target.make(maker.headers);
          if (!made) return;
          all += 1;
          mine.add(target.kind);
          const more = [...(await openToMade(target, made, all % 50 === 0))].filter(
            (name) => !own.has(name),
          );
          if (more.length > 0 || made.until > maker.until)
            wrong.push(`${maker.name} made ${target.kind}: ${more.join()} until ${made.until}`);
          const isToken = target.kind.startsWith('token') && maker.until === Infinity;
          if (isToken && typeof made.headers !== 'function')
            tokens.push({ name: `${maker.name} > ${target.kind}`, headers: made.headers });
        });
      }
      expect(wrong).toEqual([]);
      // The rule refuses no more than that: an owner makes everything, and so on down.
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
      await expectTokensMakeNothing(tokens, targets);
    },
    PATIENCE,
  );

  /** Each tries the weakest of each kind, and the strongest key. */
  async function expectTokensMakeNothing(
    tokens: readonly { name: string; headers: Headers }[],
    targets: readonly Target[],
  ): Promise<void> {
    const tried = targets.filter(({ kind: of }) =>
      [
        'key record',
        `key ${allPermissions.join()}`,
        'user viewer',
        'token -/',
        'sub-tenant',
      ].includes(of),
    );
    const wrong: string[] = [];
    await inTurn(tokens, async ({ name, headers }) => {
      for (const target of tried)
        if (await target.make(headers)) wrong.push(`${name} made ${target.kind}`);
    });
    expect(wrong).toEqual([]);
    expect(tokens.length).toBeGreaterThan(isWhole ? 200 : 20);
  }

  describe('a token loses what its issuer loses:', () => {
    /** Alone, so that each shows whether it is still given, and all together. */
    const given: Authority[] = [
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
    /** What somebody may do now, as a session of theirs or a key shows. */
    const nowOpenTo = async (issuer: Headers, isAdministrator = false): Promise<Set<string>> => {
      const own = await open(issuer);
      // An administrator and a key with every permission are worth the same.
      return isAdministrator ? own.union(await open(full)) : own;
    };
    const expectWithin = async (tokens: readonly Headers[], allowed: Set<string>) => {
      for (const token of tokens)
        expect([...(await open(token))].filter((name) => !allowed.has(name))).toEqual([]);
    };
    const expectSomething = async (tokens: readonly Headers[]) => {
      expect(tokens.length).toBeGreaterThan(2);
      const sizes = await Promise.all(tokens.map(async (token) => (await open(token)).size));
      expect(Math.min(...sizes)).toBeGreaterThan(0);
    };
    const validate = async (token: Headers) =>
      (
        await must(owner, 'POST', '/svc/v1/identity/sub-users/validate/', {
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
      await must(owner, 'PATCH', path, { role: to });
      await expectWithin(tokens, await nowOpenTo(session, to === 'admin'));
    });

    test.each<
      [string, boolean, (user: ReturnType<typeof newUser>, own: Headers) => Promise<unknown>]
    >([
      ['disabled', false, ({ path }) => must(owner, 'PATCH', path, { disabled: true })],
      ['deleted', false, ({ path }) => must(owner, 'DELETE', path)],
      ['given a new password', false, ({ path }) => must(owner, 'POST', `${path}reset-password/`)],
      [
        'taking a new password',
        false,
        (_user, own) =>
          must(own, 'POST', '/api/v1/auth/password/', {
            current_password: PASSWORD,
            new_password: `${PASSWORD} too`,
          }),
      ],
      [
        'held up by a password that is too old',
        true,
        async () => {
          await must(owner, 'PUT', '/api/v1/auth/settings/', { password_max_age_days: 1 });
          setTime(Date.now() + 25 * 3_600_000);
        },
      ],
    ])('an administrator who is %s', { timeout: PATIENCE }, async (_what, isStillValid, lose) => {
      const user = newUser('admin');
      const session = await signIn(user.email);
      const body = { sub_user_id: 'x', expires_in: 30 * 24 * 3600, roles: ['admin'] };
      const long = await must(session, 'POST', '/svc/v1/identity/sub-users/token/', body);
      const tokens = [...(await tokensOf(session)), bearer(long.token)];
      await expectSomething(tokens);
      await lose(user, session);
      // Of the sessions that are still valid this one would be the last to know.
      await expectWithin(tokens, nothing);
      setTime(undefined);
      await must(owner, 'PUT', '/api/v1/auth/settings/', { password_max_age_days: null });
      expect(await validate(bearer(long.token))).toBe(isStillValid);
    });

    test.each<[string, (key: { id: string; path: string }) => Promise<unknown>]>([
      ['revoked', ({ path }) => must(owner, 'DELETE', path)],
      ['rotated', ({ path }) => must(owner, 'POST', `${path}rotate/`, { overlap_seconds: 0 })],
      ['expired', () => Promise.resolve(setTime(END))],
    ])('a key that is %s', { timeout: PATIENCE }, async (_what, lose) => {
      const { id, key } = await newKey(allPermissions, END);
      const issuer = keyHeaders(key);
      const tokens = await tokensOf(issuer);
      await expectSomething(tokens);
      await lose({ id: String(id), path: `/api/v1/auth/api-keys/${String(id)}/` });
      await expectWithin(tokens, nothing);
      expect(await open(issuer)).toEqual(nothing);
    });

    /** No route changes a key's permissions. A process remembers keys, and hears of no change here. */
    test.each(allPermissions)(
      'a key without "%s" from one moment to the next',
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

    test('those of a tenant that is suspended', { timeout: PATIENCE }, async () => {
      const sub = await must(full, 'POST', '/svc/v1/sub-tenants/', { name: 'Suspended' });
      const tokens = await tokensOf(keyHeaders(sub.api_key));
      await expectSomething(tokens);
      await must(full, 'POST', `/svc/v1/sub-tenants/${String(sub.id)}/suspend/`, {});
      await expectWithin(tokens, nothing);
    });
  });

  /** As in a process that the signal has not reached: it remembers the key for five seconds. */
  test('a key that was revoked a moment ago, and is still remembered, makes nothing', async () => {
    const { id, key } = await newKey(allPermissions);
    const headers = keyHeaders(key);
    await must(headers, 'GET', '/api/v1/auth/users/');
    await changeKey(id, { revoked_at: Date.now() });
    const asked: [string, object][] = [
      ['/api/v1/auth/api-keys/', { name: 'made', permissions: ['record'] }],
      ['/api/v1/auth/users/', { email: freshEmail(), role: 'viewer' }],
      ['/svc/v1/identity/sub-users/token/', { sub_user_id: 'x' }],
      ['/svc/v1/sub-tenants/', { name: 'made' }],
    ];
    for (const [path, body] of asked)
      expect((await call(headers, 'POST', path, body)).status).toBe(401);
    const profile = await call(headers, 'GET', '/api/svc/v1/endpoint/mdm-profile/');
    expect(profile.status).toBe(401);
  });
});
