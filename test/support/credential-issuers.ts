import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, vi } from 'vitest';
import {
  type Permission,
  permissions as allPermissions,
  type Role,
  roles as allRoles,
} from '#contract/route.ts';
import type { Privileges } from '#control-plane/identity/permission-rules.ts';
import { hashPassword } from '#control-plane/identity/password/passwords.ts';
import { openStorage, type Storage } from '#control-plane/storage/open.ts';
import { API_KEY, OWNER, startOn } from './control-plane.ts';
import type { databases } from './databases.ts';
import { newDatabase, type TestDatabase } from './databases.ts';
import {
  mapWithConcurrency,
  oneRoutePerAccess,
  routesOpenTo,
  permissionSets,
  send,
} from './route-access.ts';

export type Headers = Record<string, string>;
type Body = Record<string, unknown>;

/** A credential that can create other credentials. */
export interface Issuer extends Privileges {
  name: string;
  headers: Headers;
  /** Time of expiry; Infinity for credentials that never expire. */
  expiresAt: number;
}

export interface IssuedCredential {
  headers: Headers | (() => Promise<Headers>);
  expiresAt: number;
}

/** An attempt to create a credential. */
export interface Target {
  /** The kind of the new credential: all credentials of a kind have access to the same routes. */
  kind: string;
  /** Returns null if it is refused. */
  issue(by: Headers): Promise<IssuedCredential | null>;
}

export const PASSWORD = 'seven lakes and a boat';
/** The expiry of credentials that expire. */
export const EXPIRY = Date.UTC(2100, 0);

export const nameOf = ({ role, permissions }: Privileges) => `${role ?? '-'}/${permissions.join()}`;
export const keyHeaders = (key: unknown): Headers => ({ 'X-Svc-Key': String(key) });
export const bearer = (token: unknown): Headers => ({ Authorization: `Bearer ${String(token)}` });
const parseExpiry = (iso: unknown): number =>
  typeof iso === 'string' ? Date.parse(iso) : Infinity;
export const rank = (role: Role | null): number => (role ? allRoles.indexOf(role) : -1);

/**
 * Sets up a control plane with all kinds of credentials that could create others, and all
 * credentials that they could create.
 */
export function setUpCredentialIssuers(kind: (typeof databases)[number]) {
  // SQLite runs all cases; PostgreSQL, which is slower, runs some of each kind.
  const isWhole = kind === 'sqlite';
  const testedOnPostgres = ['', 'record', 'enroll', 'admin', 'enroll,admin', allPermissions.join()];
  const testedSets = permissionSets.filter(
    (set) => isWhole || testedOnPostgres.includes(set.join()),
  );
  const sets = testedSets.filter((set) => set.length > 0);
  const grants: Privileges[] = [null, ...allRoles].flatMap((role) =>
    testedSets.map((permissions) => ({ role, permissions })),
  );

  let database: TestDatabase;
  let controlPlane: Awaited<ReturnType<typeof startOn>>['controlPlane'];
  let setTime: (now: number | undefined) => void;
  /** A second connection to the database, which restores the targets after an attempt. */
  let storage: Storage;
  let tenant_id: string;
  const fullAccess = keyHeaders(API_KEY);
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
  type CallArguments = Parameters<typeof call>;
  const requestSuccessfully = async (...requestArguments: CallArguments): Promise<Body> => {
    const { status, text, body } = await call(...requestArguments);
    if (status >= 300)
      throw new Error(`${requestArguments[1]} ${requestArguments[2]}: ${status} ${text}`);
    return body;
  };
  /** Returns null if the request is refused. Any other error fails the test. */
  const requestOrNull = async (...requestArguments: CallArguments) => {
    const answer = await call(...requestArguments);
    const { status, text } = answer;
    if (status < 300) return answer;
    const wouldOutlive = status === 400 && text.includes('when your own API key expires');
    if (status === 401 || status === 403 || wouldOutlive) return null;
    throw new Error(`${requestArguments[1]} ${requestArguments[2]}: ${status} ${text}`);
  };
  const signIn = async (email: string, password = PASSWORD): Promise<Headers> =>
    bearer(
      (await requestSuccessfully({}, 'POST', '/api/v1/auth/login/', { email, password })).token,
    );

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
    if (user?.role !== role) throw new Error(`no ${role} remains`);
    return { ...user, path: `/api/v1/auth/users/${user.id}/` };
  };
  const newKey = (permissions: readonly Permission[], expires_at?: number) =>
    requestSuccessfully(owner, 'POST', '/api/v1/auth/api-keys/', {
      name: 'made',
      permissions,
      ...(expires_at && { expires_at: new Date(expires_at).toISOString() }),
    });
  const newToken = async (by: Headers, { role, permissions }: Privileges) =>
    requestOrNull(by, 'POST', '/svc/v1/identity/sub-users/token/', {
      sub_user_id: 'ada',
      roles: ['agent_user', ...(role ? [role] : [])],
      permissions: ['agents:trigger', ...permissions],
    });
  const openRoutes = (headers: Headers, routes = oneRoutePerAccess) =>
    routesOpenTo(controlPlane.urls, headers, routes);

  async function keyIn(profile: string): Promise<string> {
    const { materializeManagedConfig } = await import('#profile-builder/materialize.ts');
    const { parseBinary } = await import('plist');
    const config = parseBinary(materializeManagedConfig(profile).plist) as Body;
    return String(config.api_key);
  }

  /** All kinds of credentials that could create others, except tokens of sub-users. */
  async function allIssuers(): Promise<Issuer[]> {
    // Credentials that expire have the same permissions, so only some of them are tested.
    const ending = sets.filter(({ length }) => length !== 2 && length !== 3);
    const lives = [
      ...sets.map((permissions) => ({ permissions, expiresAt: Infinity })),
      ...ending.map((permissions) => ({ permissions, expiresAt: EXPIRY })),
    ];
    const keys = lives.map(async ({ permissions, expiresAt }): Promise<Issuer> => {
      const { key } = await newKey(permissions, expiresAt === Infinity ? undefined : expiresAt);
      const name = `key ${permissions.join()}${expiresAt === Infinity ? '' : ' that expires'}`;
      return { name, role: null, permissions, expiresAt, headers: keyHeaders(key) };
    });
    const sessions = allRoles.map(async (role): Promise<Issuer> => {
      const headers = await signIn(newUser(role).email);
      return { name: `session ${role}`, role, permissions: [], expiresAt: Infinity, headers };
    });
    const profile = await call(fullAccess, 'GET', '/api/svc/v1/endpoint/mdm-profile/');
    const enrolling = keyHeaders(await keyIn(profile.text));
    return [
      ...(await Promise.all([...keys, ...sessions])),
      {
        name: 'profile',
        role: null,
        permissions: ['enroll'],
        expiresAt: Infinity,
        headers: enrolling,
      },
    ];
  }

  function allTargets(): Target[] {
    const keys = sets.flatMap((permissions): Target[] =>
      [null, EXPIRY].map((end) => ({
        kind: `key ${permissions.join()}`,
        async issue(by) {
          const expires_at = end === null ? undefined : new Date(end).toISOString();
          const body = { name: 'made', permissions, expires_at };
          const made = await requestOrNull(by, 'POST', '/api/v1/auth/api-keys/', body);
          return made && issuedKey(made.body);
        },
      })),
    );
    const rotated = sets.map((permissions): Target => {
      let next: Promise<Body> | undefined;
      return {
        kind: `key ${permissions.join()}`,
        async issue(by) {
          const { id } = await (next ??= newKey(permissions));
          const path = `/api/v1/auth/api-keys/${String(id)}/rotate/`;
          const made = await requestOrNull(by, 'POST', path, {});
          if (!made) return null;
          // A second attempt would be refused for every credential.
          next = undefined;
          return issuedKey(made.body);
        },
      };
    });
    const issuedKey = ({ key, expires_at }: Body): IssuedCredential => ({
      headers: keyHeaders(key),
      expiresAt: parseExpiry(expires_at),
    });
    const users = allRoles.map((role): Target => ({
      kind: `user ${role}`,
      async issue(by) {
        const email = freshEmail();
        const body = { email, role, password: PASSWORD, must_change_password: false };
        const made = await requestOrNull(by, 'POST', '/api/v1/auth/users/', body);
        return made && { expiresAt: Infinity, headers: () => signIn(email) };
      },
    }));
    /** A target that changes the role of a user. The same user is used until a change succeeds. */
    const roleChangeTarget = (
      role: Role,
      {
        disabled = false,
        change,
      }: { disabled?: boolean; change: { role?: Role; disabled?: boolean } },
    ): Target => {
      const { email, path } = newUser(role);
      const before = () => requestSuccessfully(owner, 'PATCH', path, { role, disabled });
      let ready: Promise<unknown> | undefined;
      return {
        kind: `user ${change.role ?? role}`,
        async issue(by) {
          await (ready ??= before());
          if (!(await requestOrNull(by, 'PATCH', path, change))) return null;
          ready = undefined;
          return { expiresAt: Infinity, headers: () => signIn(email) };
        },
      };
    };
    const passwordResetTarget = (role: Role): Target => {
      const { email, path } = newUser(role);
      return {
        kind: `user ${role}`,
        async issue(by) {
          const made = await requestOrNull(by, 'POST', `${path}reset-password/`);
          if (!made) return null;
          const headers = async () => {
            const current_password = String(made.body.initial_password);
            const session = await signIn(email, current_password);
            const body = { current_password, new_password: `${PASSWORD} ${(count += 1)}` };
            await requestSuccessfully(session, 'POST', '/api/v1/auth/password/', body);
            return session;
          };
          return { expiresAt: Infinity, headers };
        },
      };
    };
    const changes = allRoles.flatMap((role) => [
      passwordResetTarget(role),
      roleChangeTarget(role, { disabled: true, change: { disabled: false } }),
      ...allRoles
        .filter((after) => rank(after) > rank(role))
        .map((after) => roleChangeTarget(role, { change: { role: after } })),
    ]);
    const tokens = grants.map((grant): Target => ({
      kind: `token ${nameOf(grant)}`,
      async issue(by) {
        const made = await newToken(by, grant);
        return (
          made && { headers: bearer(made.body.token), expiresAt: parseExpiry(made.body.expires_at) }
        );
      },
    }));
    const profile: Target = {
      kind: 'key enroll',
      async issue(by) {
        const made = await requestOrNull(by, 'GET', '/api/svc/v1/endpoint/mdm-profile/');
        if (!made) return null;
        const key = await keyIn(made.text);
        const { results } = await requestSuccessfully(owner, 'GET', '/api/v1/auth/api-keys/');
        const newest = (results as Body[]).find(({ name }) => String(name).startsWith('Profile'));
        return { headers: keyHeaders(key), expiresAt: parseExpiry(newest?.expires_at) };
      },
    };
    const subTenant: Target = {
      kind: 'sub-tenant',
      async issue(by) {
        const body = { name: `Sub ${(count += 1)}` };
        const made = await requestOrNull(by, 'POST', '/svc/v1/sub-tenants/', body);
        return made && { headers: keyHeaders(made.body.api_key), expiresAt: Infinity };
      },
    };
    return [...keys, ...rotated, ...users, ...changes, ...tokens, profile, subTenant];
  }

  /** Each token tries to create the weakest credential of each kind, and the strongest API key. */
  async function expectTokensIssueNothing(
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
    await mapWithConcurrency(tokens, async ({ name, headers }) => {
      for (const target of tried)
        if (await target.issue(headers)) wrong.push(`${name} made ${target.kind}`);
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
  };
}
