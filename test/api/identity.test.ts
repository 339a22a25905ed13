import { SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { ResponseError } from '#contract/client.ts';
import type { Permission } from '#contract/route.ts';
import { OWNER, startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import { countFailure } from '#control-plane/identity/sign-in/sign-in-queries.ts';
import { databases } from '../support/databases.ts';
import { startTwoTenants, type TwoTenants } from '../support/two-tenants.ts';

describe.each(databases)('identity on %s', (kind) => {
  let service: TestControlPlane;
  beforeAll(async () => {
    service = await startTestControlPlane(kind);
  });
  afterAll(() => service.stop());

  const signIn = (body: unknown) =>
    fetch(`${service.urls.public}/api/v1/auth/login/`, {
      method: 'POST',
      body: JSON.stringify(body),
    });
  const cookieOf = (response: Response) =>
    (response.headers.get('set-cookie') ?? '').split(';')[0] ?? '';

  test('signing in sets an http-only cookie that works as session, until signing out', async () => {
    const response = await signIn(OWNER);
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^svc_session=[\w.-]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=43200$/,
      ),
      'svc_held_sessions=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0',
    ]);
    const browser = service.by({ Cookie: cookieOf(response), Origin: service.urls.public });
    expect(await browser.identity.me()).toEqual({
      id: expect.stringMatching(/^usr_/) as string,
      email: OWNER.email,
      role: 'owner',
      must_change_password: false,
      tenant: { id: expect.stringMatching(/^tnt_/) as string, name: 'Gatehouse' },
    });
    await browser.identity.logout();
    await expect(browser.identity.me()).rejects.toMatchObject({ status: 401 });
  });

  test('a cookie cannot be used from the page of another site', async () => {
    const cookie = cookieOf(await signIn(OWNER));
    const create = (origin?: string) =>
      service
        .by({ Cookie: cookie, ...(origin && { Origin: origin }) })
        .identity.createApiKey({ body: { name: 'n', permissions: ['record'] } })
        .then(
          () => 201,
          (error: { status: number }) => error.status,
        );
    expect([
      await create('https://evil.example'),
      await create(),
      await create(service.urls.public),
    ]).toEqual([403, 403, 201]);
  });

  test('another site cannot sign its visitors in', async () => {
    const { status } = await fetch(`${service.urls.public}/api/v1/auth/login/`, {
      method: 'POST',
      body: JSON.stringify(OWNER),
      headers: { Origin: 'https://evil.example' },
    });
    expect(status).toBe(403);
  });

  test('a wrong password and an unknown account sound the same', async () => {
    const wrong = await signIn({ ...OWNER, password: 'wrong' });
    const unknown = await signIn({ email: 'nobody@example.test', password: 'wrong' });
    expect([wrong.status, await wrong.text()]).toEqual([unknown.status, await unknown.text()]);
    expect(wrong.status).toBe(401);
    for (const { headers } of [wrong, unknown])
      expect(headers.get('x-error-reason')).toBe('invalid_credentials');
  });

  test.each(['', 'nonsense', 'eyJhbGciOiJub25lIn0.eyJ0aWQiOiJ4Iiwic2lkIjoieCJ9.'])(
    'the token %j is no session',
    async (token) => {
      const client = service.by({ Authorization: `Bearer ${token}` });
      await expect(client.identity.me()).rejects.toMatchObject({ status: 401 });
    },
  );

  test('what claims to be an open session is none, whatever it is signed with', async () => {
    const { token } = (await (await signIn(OWNER)).json()) as { token: string };
    const [header = '', body = '', signature = ''] = token.split('.');
    const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as Record<string, string>;
    const sign = (algorithm: string, more: object) =>
      new SignJWT({ ...claims, ...more })
        .setProtectedHeader({ alg: algorithm })
        .sign(Buffer.alloc(64, 1));
    const altered = Buffer.from(JSON.stringify({ ...claims, tid: 'tnt_other' }));
    const tokens = [
      new UnsecuredJWT(claims).encode(),
      await sign('HS256', {}),
      await sign('HS512', {}),
      `${header}.${altered.toString('base64url')}.${signature}`,
      `${header}.${body}.`,
    ];
    const answers = await Promise.all(
      tokens.map(async (forged) => {
        const Authorization = `Bearer ${forged}`;
        const response = await fetch(`${service.urls.public}/api/v1/auth/me/`, {
          headers: { Authorization },
        });
        return [response.status, await response.text()];
      }),
    );
    const ended = JSON.stringify({ error: 'the session has ended: sign in again' });
    expect(answers).toEqual(tokens.map(() => [401, ended]));
  });

  test('an API key is shown once, does what it may, and nothing after it is revoked', async () => {
    const { identity } = service.byOwner;
    const created = await identity.createApiKey({ body: { name: 'CI', permissions: ['record'] } });
    const client = service.by({ 'X-Svc-Key': created.key });
    await client.recording.startRun({ body: { agent_name: 'a' } });
    await expect(client.deployment.getMdmProfile({ query: {} })).rejects.toMatchObject({
      status: 403,
      code: 'forbidden',
    });
    const listed = await identity.listApiKeys();
    expect(JSON.stringify(listed)).not.toContain(created.key);
    expect(listed.results.find((key) => key.id === created.id)).toMatchObject({
      name: 'CI',
      permissions: ['record'],
      last_used_at: expect.any(String) as string,
      revoked_at: null,
    });
    await identity.revokeApiKey({ params: { id: created.id } });
    await expect(client.recording.startRun({ body: { agent_name: 'a' } })).rejects.toMatchObject({
      status: 401,
    });
    await expect(identity.revokeApiKey({ params: { id: 'key_none' } })).rejects.toMatchObject({
      status: 404,
    });
  });

  const startRun = (key: string) =>
    service
      .by({ 'X-Svc-Key': key })
      .recording.startRun({ body: { agent_name: 'a' } })
      .then(
        () => 201,
        (error: ResponseError) => error.status,
      );

  test('a key works until it expires, which lies in the future', async () => {
    const now = Date.now();
    service.setTime(now);
    const make = (expires: number) =>
      service.byOwner.identity.createApiKey({
        body: {
          name: 'soon',
          permissions: ['record'],
          expires_at: new Date(expires).toISOString(),
        },
      });
    await expect(make(now)).rejects.toMatchObject({
      status: 400,
      message: 'expires_at: expected a time in the future',
    });
    const { key, expires_at } = await make(now + 1000);
    expect(expires_at).toBe(new Date(now + 1000).toISOString());
    expect(await startRun(key)).toBe(201);
    service.setTime(now + 1000);
    expect(await startRun(key)).toBe(401);
    service.setTime(undefined);
  });

  test('when a key was last used is known to the minute', async () => {
    const { identity } = service.byOwner;
    const { id, key } = await identity.createApiKey({
      body: { name: 'k', permissions: ['record'] },
    });
    const now = Date.now();
    const usedAt = async (at: number) => {
      service.setTime(at);
      await startRun(key);
      const { results } = await identity.listApiKeys();
      return Date.parse(results.find((one) => one.id === id)?.last_used_at ?? '') - now;
    };
    expect([await usedAt(now), await usedAt(now + 60_000), await usedAt(now + 60_001)]).toEqual([
      0, 0, 60_001,
    ]);
    service.setTime(undefined);
  });

  test('a key is rotated: both work during the overlap, then only the new one', async () => {
    const { identity } = service.byOwner;
    const now = Date.now();
    service.setTime(now);
    const old = await identity.createApiKey({
      body: {
        name: 'CI',
        permissions: ['record', 'enroll'],
        expires_at: new Date(now + 90_000).toISOString(),
      },
    });
    service.setTime(now + 10_000);
    const params = { id: old.id };
    const rotated = await identity.rotateApiKey({ params, body: { overlap_seconds: 60 } });
    expect(rotated).toMatchObject({
      name: 'CI',
      permissions: ['record', 'enroll'],
      expires_at: new Date(now + 100_000).toISOString(),
      replaces: { id: old.id, expires_at: new Date(now + 70_000).toISOString() },
    });
    expect([await startRun(old.key), await startRun(rotated.key)]).toEqual([201, 201]);
    service.setTime(now + 70_000);
    expect([await startRun(old.key), await startRun(rotated.key)]).toEqual([401, 201]);
    await expect(identity.rotateApiKey({ params, body: {} })).rejects.toMatchObject({
      status: 409,
    });
    const once = await identity.rotateApiKey({
      params: { id: rotated.id },
      body: { overlap_seconds: 0 },
    });
    expect([await startRun(rotated.key), await startRun(once.key)]).toEqual([401, 201]);
    await expect(
      identity.rotateApiKey({ params: { id: 'key_none' }, body: {} }),
    ).rejects.toMatchObject({ status: 404 });
    service.setTime(undefined);
  });

  test('a key has one successor, however often and however many at once ask', async () => {
    const { identity } = service.byOwner;
    const { id } = await identity.createApiKey({ body: { name: 'CI', permissions: ['record'] } });
    const rotate = () =>
      identity.rotateApiKey({ params: { id }, body: { overlap_seconds: 3600 } }).then(
        () => 201,
        ({ status, message }: ResponseError) => [status, message],
      );
    const answers = await Promise.all(Array.from({ length: 8 }, rotate));
    const conflict = [
      409,
      expect.stringMatching(/^this API key has already been replaced by key_/),
    ];
    expect(answers.filter((answer) => answer === 201)).toHaveLength(1);
    expect(answers.filter((answer) => answer !== 201)).toEqual(
      Array.from({ length: 7 }, () => conflict),
    );
    expect(await rotate()).toEqual(conflict);
  });

  test('a key that expires makes none that lives longer', async () => {
    const now = Date.now();
    service.setTime(now);
    const end = new Date(now + 60_000).toISOString();
    const body = { name: 'ends', permissions: ['admin' as const] };
    const maker = await service.byOwner.identity.createApiKey({
      body: { ...body, expires_at: end },
    });
    const lasting = await service.byOwner.identity.createApiKey({ body });
    const { identity } = service.by({ 'X-Svc-Key': maker.key });
    const later = new Date(now + 60_001).toISOString();
    const asked = [
      () => identity.createApiKey({ body }),
      () => identity.createApiKey({ body: { ...body, expires_at: later } }),
      () => identity.rotateApiKey({ params: { id: lasting.id }, body: {} }),
    ];
    for (const ask of asked)
      await expect(ask()).rejects.toMatchObject({
        status: 400,
        message: `expires_at: expected no later than ${end}, when your own API key expires`,
      });
    expect((await identity.createApiKey({ body: { ...body, expires_at: end } })).expires_at).toBe(
      end,
    );
    service.setTime(undefined);
  });

  test('a key makes no key that may do more than itself', async () => {
    const { key } = await service.byOwner.identity.createApiKey({
      body: { name: 'automation', permissions: ['admin', 'record'] },
    });
    const { identity } = service.by({ 'X-Svc-Key': key });
    const make = (...permissions: Permission[]) =>
      identity.createApiKey({ body: { name: 'made', permissions } });
    await expect(make('record', 'enroll', 'policies:write')).rejects.toMatchObject({
      status: 403,
      message: 'you do not hold these permissions yourself: enroll, policies:write',
    });
    const { id } = await make('record', 'record');
    await identity.rotateApiKey({ params: { id }, body: {} });
    const { results } = await identity.listApiKeys();
    expect(results.find((one) => one.id === id)?.permissions).toEqual(['record']);
    const all = results.find(({ name }) => name === 'First key')?.id ?? '';
    await expect(identity.rotateApiKey({ params: { id: all }, body: {} })).rejects.toMatchObject({
      status: 403,
    });
  });

  test('administration refuses fields that it does not know, by name', async () => {
    const body = { name: 'n', permissions: ['record'], colour: 'red' } as never;
    await expect(service.byOwner.identity.createApiKey({ body })).rejects.toThrow(/colour/);
  });
});

describe.each(databases)('entries of the audit log on %s', (kind) => {
  let service: TestControlPlane;
  beforeAll(async () => {
    service = await startTestControlPlane(kind);
  });
  afterAll(() => service.stop());

  const told = async (action: string) => {
    const { entries } = await service.byKey.audit.listAuditEntries({ query: { action } });
    return entries.map(({ actor_type, actor_id, metadata, ip }) => ({
      actor_type,
      actor_id,
      metadata,
      ip,
    }));
  };
  const fail = (email: string, password = 'wrong') =>
    expect(service.by({}).identity.login({ body: { email, password } })).rejects.toThrow();

  test('who signed in, failed to, and signed out', async () => {
    const { token, user } = await service.by({}).identity.login({ body: OWNER });
    await service.by({ Authorization: `Bearer ${token}` }).identity.logout();
    await fail(OWNER.email);
    await fail('stranger@example.test');
    await fail('my password typed in the wrong place');
    const ip = expect.stringMatching(/127\.0\.0\.1|::1/) as string;
    const session_id = expect.stringMatching(/^ses_/) as string;
    const byOwner = { actor_type: 'user', actor_id: user.id, ip };
    const [signedIn] = await told('user.sign_in');
    expect(signedIn).toEqual({
      ...byOwner,
      metadata: { email: OWNER.email, method: 'password', session_id },
    });
    expect(await told('user.sign_out')).toEqual([{ ...byOwner, metadata: { session_id } }]);
    const failed = (actor_id: string, email: string | null, reason: string) => ({
      actor_type: 'user',
      actor_id,
      ip,
      metadata: { email, method: 'password', reason },
    });
    expect(await told('user.sign_in_failed')).toEqual([
      failed('unknown', null, 'unknown account'),
      failed('unknown', 'stranger@example.test', 'unknown account'),
      failed(user.id, OWNER.email, 'wrong password'),
    ]);
  });

  test('what was changed, as the API shows it, without secrets', async () => {
    const { identity } = service.byOwner;
    const made = await identity.createApiKey({ body: { name: 'CI', permissions: ['record'] } });
    const rotated = await identity.rotateApiKey({ params: { id: made.id }, body: {} });
    await identity.revokeApiKey({ params: { id: rotated.id } });
    await identity.revokeApiKey({ params: { id: rotated.id } });
    const user = await identity.createUser({ body: { email: 'new@example.test', role: 'viewer' } });
    const params = { id: user.id };
    await identity.updateUser({ params, body: { role: 'analyst' } });
    const { initial_password } = await identity.resetPassword({ params });
    await identity.putIdentitySettings({ body: { password_max_age_days: 90 } });
    await identity.deleteUser({ params });
    const { entries } = await service.byKey.audit.listAuditEntries({ query: {} });
    expect(
      entries
        .map(({ action }) => action)
        .filter((action) => !action.startsWith('user.sign_'))
        .toReversed(),
    ).toEqual([
      'tenant.create',
      'api_key.create',
      'api_key.rotate',
      'api_key.revoke',
      'user.create',
      'user.update',
      'user.reset_password',
      'identity_settings.update',
      'user.delete',
    ]);
    const [updated] = await told('user.update');
    expect(updated?.metadata).toMatchObject({
      before: { role: 'viewer' },
      after: { role: 'analyst' },
    });
    const [created] = await told('api_key.create');
    expect(created?.metadata).toMatchObject({ after: { id: made.id, permissions: ['record'] } });
    const text = JSON.stringify(entries);
    for (const secret of [made.key, rotated.key, user.initial_password ?? '', initial_password])
      expect(text).not.toContain(secret);
  });
});

describe.each(databases)('what strangers can do on %s', (kind) => {
  let tenants: TwoTenants;
  beforeAll(async () => {
    tenants = await startTwoTenants(kind);
  });
  afterAll(() => tenants.stop());
  afterEach(() => tenants.setTime(undefined));

  const QUARTER_MS = 15 * 60_000;
  const begin = Math.ceil(Date.now() / QUARTER_MS) * QUARTER_MS;

  const limits = (now: number) => ({ since: now - QUARTER_MS, ofAccount: 10, ofNetwork: 100 });
  /** Hashing takes its time, on purpose: most guesses are counted here without one. */
  const guess = (email: string, at: number, network = '127.0.0.1') =>
    countFailure(tenants.storage, { email, network, at }, limits(at));
  const guesses = async (many: number, email: (i: number) => string, at: number) => {
    const asked = Array.from({ length: many }, (_, i) => guess(email(i), at));
    return (await Promise.all(asked)).filter((standing) => standing === null).length;
  };
  const signIn = async (account: { email: string; password: string }) => {
    const { status, headers } = await fetch(`${tenants.urls.public}/api/v1/auth/login/`, {
      method: 'POST',
      body: JSON.stringify(account),
    });
    return [status, headers.get('retry-after')];
  };

  test('ten failures, then 429 with the time to wait, then again', async () => {
    const account = { email: 'guessed@example.test', password: 'no' };
    const now = begin - 4 * QUARTER_MS;
    expect(await guesses(9, () => account.email, now)).toBe(9);
    tenants.setTime(now);
    expect([await signIn(account), await signIn(account)]).toEqual([
      [401, null],
      [429, '900'],
    ]);
    tenants.setTime(now + QUARTER_MS + 1);
    expect(await signIn(account)).toEqual([401, null]);
  });

  test('thirty guesses at once are ten failures and twenty refusals', async () => {
    const now = begin - 2 * QUARTER_MS;
    expect(await guesses(30, () => 'hammered@example.test', now)).toBe(10);
  });

  test('who is right is let in, however many are at once; who is wrong is tried ten times', async () => {
    const now = begin - 8 * QUARTER_MS;
    tenants.setTime(now);
    expect(await guesses(9, () => OWNER.email, now)).toBe(9);
    const right = await Promise.all(Array.from({ length: 4 }, () => signIn(OWNER)));
    expect(right).toEqual(right.map(() => [200, null]));
    const wrong = { email: 'flooded@example.test', password: 'no' };
    expect(await guesses(8, () => wrong.email, now)).toBe(8);
    const statuses = await Promise.all(Array.from({ length: 200 }, () => signIn(wrong)));
    expect(statuses.filter(([status]) => status === 401)).toHaveLength(2);
    expect(statuses.filter(([status]) => status === 429)).toHaveLength(198);
  });

  test('signing in forgives what failed before', async () => {
    tenants.setTime(begin - QUARTER_MS);
    expect(await guesses(9, () => OWNER.email, begin - QUARTER_MS)).toBe(9);
    expect(await signIn(OWNER)).toEqual([200, null]);
    expect(await guesses(11, () => OWNER.email, begin - QUARTER_MS)).toBe(10);
  });

  test('a flood of failures ends in the audit log with a word that it goes on', async () => {
    const { storage, one } = tenants;
    const owner = await one.byOwner.identity.me();
    const of = { tenant_id: owner.tenant.id, since: begin };
    const before = (subject: string, count: number) =>
      storage.db
        .insertInto('listed_failures')
        .values({ ...of, subject, count })
        .execute();
    await before(owner.id, 8);
    await before('', 98);
    tenants.setTime(begin);
    const fail = (email: string) =>
      expect(one.byKey.identity.login({ body: { email, password: 'no' } })).rejects.toThrow();
    const told = async () => {
      const start_date = new Date(begin).toISOString();
      const query = { action: 'user.sign_in_failed', start_date };
      const { entries } = await one.byKey.audit.listAuditEntries({ query });
      return entries.map(({ actor_id, metadata }) => [actor_id, metadata.silent_until ?? null]);
    };
    for (const email of [OWNER.email, 'a@example.test'])
      for (let i = 0; i < 3; i += 1) await fail(email);
    const silent = new Date(begin + QUARTER_MS).toISOString();
    expect(await told()).toEqual([
      ['unknown', silent],
      ['unknown', null],
      [owner.id, silent],
      [owner.id, null],
    ]);
    tenants.setTime(begin + QUARTER_MS);
    await fail('a@example.test');
    expect(await told()).toHaveLength(5);
    // Seven hashes, one after another.
  }, 180_000);

  test('a hundred guesses from one network, at whatever accounts and however many at once', async () => {
    const now = begin + 4 * QUARTER_MS;
    expect(await guesses(120, (i) => `user-${i}@example.test`, now)).toBe(100);
    expect(await guess('user-1@example.test', now, '192.0.2.1')).toBeNull();
    tenants.setTime(now + 1000);
    expect(await signIn(OWNER)).toEqual([429, '899']);
    tenants.setTime(now + QUARTER_MS + 1);
    expect(await signIn(OWNER)).toEqual([200, null]);
  });
});

test.each([
  ['a proxy that is trusted names who asks', '192.0.2.0/24,127.0.0.1', '203.0.113.7'],
  ['anybody else is who asks', '192.0.2.0/24', '127.0.0.1'],
])('%s, in the audit log', async (_, TRUSTED_PROXIES, expected) => {
  const service = await startTestControlPlane('sqlite', { TRUSTED_PROXIES });
  await fetch(`${service.urls.public}/api/v1/auth/login/`, {
    method: 'POST',
    headers: { 'X-Forwarded-For': '8.8.8.8, 203.0.113.7' },
    body: JSON.stringify({ ...OWNER, password: 'no' }),
  });
  const query = { action: 'user.sign_in_failed' };
  const { entries } = await service.byKey.audit.listAuditEntries({ query });
  expect(entries.map(({ ip }) => ip)).toEqual([expected]);
  await service.stop();
});
