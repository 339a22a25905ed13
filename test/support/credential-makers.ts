import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, vi } from 'vitest';
import {
  type Permission,
  permissions as allPermissions,
  type Role,
  roles as allRoles,
} from '#contract/route.ts';
import type { Authority } from '#control-plane/identity/permission-rules.ts';
import { hashPassword } from '#control-plane/identity/password/passwords.ts';
import { openStorage, type Storage } from '#control-plane/storage/open.ts';
import { API_KEY, OWNER, startOn } from './control-plane.ts';
import type { databases } from './databases.ts';
import { newDatabase, type TestDatabase } from './databases.ts';
import { inTurn, oneOfEach, routesOpenTo, permissionSets, send } from './gate.ts';

export type Headers = Record<string, string>;
type Body = Record<string, unknown>;

/** A credential that can create other credentials. */
export interface Maker extends Authority {
  name: string;
  headers: Headers;
  /** Time of expiry; Infinity for credentials that never expire. */
  until: number;
}

export interface Made {
  headers: Headers | (() => Promise<Headers>);
  until: number;
}

/** An attempt to create a credential. */
export interface Target {
  /** The kind of the new credential: all credentials of a kind have access to the same routes. */
  kind: string;
  /** Returns null if it is refused. */
  make(by: Headers): Promise<Made | null>;
}

export const PASSWORD = 'seven lakes and a boat';
/** The expiry of credentials that expire. */
export const END = Date.UTC(2100, 0);

export const nameOf = ({ role, permissions }: Authority) => `${role ?? '-'}/${permissions.join()}`;
export const keyHeaders = (key: unknown): Headers => ({ 'X-Svc-Key': String(key) });
export const bearer = (token: unknown): Headers => ({ Authorization: `Bearer ${String(token)}` });
const untilOf = (iso: unknown): number => (typeof iso === 'string' ? Date.parse(iso) : Infinity);
export const rank = (role: Role | null): number => (role ? allRoles.indexOf(role) : -1);

/**
 * Sets up a control plane with all kinds of credentials that could create others, and all
 * credentials that they could create.
 */
export function setUpCredentialMakers(kind: (typeof databases)[number]) {
  // SQLite runs all cases; PostgreSQL, which is slower, runs some of each kind.
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
  /** A second connection to the database, which restores the targets after an attempt. */
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
    // Creates all users at once with one password hash, because hashing is slow.
    const created_at = Date.now();
    const rows = spareUsers.map((user) => ({ tenant_id, ...user, password_hash, created_at }));
    await vi.waitFor(() => db.insertInto('users').values(rows).execute());
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
  /** Returns null if the request is refused. Any other error fails the test. */
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
  /** Changes a key in the database, without a signal to the control plane. */
  const changeKey = (id: unknown, change: { permissions?: string; revoked_at?: number }) =>
    // On SQLite, waiting for a lock blocks this process, and with it the control plane that holds
    // the lock.
    vi.waitFor(() =>
      storage.db.updateTable('api_keys').set(change).where('id', '=', String(id)).execute(),
    );
  const spareUsers = allRoles.flatMap((role) =>
    Array.from({ length: 20 }, () => {
      const email = freshEmail();
      return { id: `usr_${email}`, email, role };
    }),
  );
  /** Creates a user that no other part of the test uses. */
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

  /** All kinds of credentials that could create others, except tokens of sub-users. */
  async function allMakers(): Promise<Maker[]> {
    // Credentials that expire have the same permissions, so only some of them are tested.
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
          // A second attempt would be refused for every credential.
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
    /** A target that changes the role of a user. The same user is used until a change succeeds. */
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

  /** Each token tries to create the weakest credential of each kind, and the strongest API key. */
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

  return {
    get setTime() {
      return setTime;
    },
    get owner() {
      return owner;
    },
    grants,
    full,
    freshEmail,
    signIn,
    must,
    call,
    changeKey,
    newUser,
    newKey,
    newToken,
    open,
    allMakers,
    allTargets,
    expectTokensMakeNothing,
  };
}
