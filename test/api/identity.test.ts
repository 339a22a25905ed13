import { SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OWNER, startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import { databases } from '../support/databases.ts';

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

  test('signing in sets an http-only session cookie that works until signing out', async () => {
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

  test('a cookie cannot be used from a page of another site', async () => {
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

  test('a wrong password and an unknown account get the same response', async () => {
    const wrong = await signIn({ ...OWNER, password: 'wrong' });
    const unknown = await signIn({ email: 'unknown@example.test', password: 'wrong' });
    expect([wrong.status, await wrong.text()]).toEqual([unknown.status, await unknown.text()]);
    expect(wrong.status).toBe(401);
    for (const { headers } of [wrong, unknown])
      expect(headers.get('x-error-reason')).toBe('invalid_credentials');
  });

  test.each(['', 'nonsense', 'eyJhbGciOiJub25lIn0.eyJ0aWQiOiJ4Iiwic2lkIjoieCJ9.'])(
    'the token %j is not a session',
    async (token) => {
      const client = service.by({ Authorization: `Bearer ${token}` });
      await expect(client.identity.me()).rejects.toMatchObject({ status: 401 });
    },
  );

  test('a forged session token is rejected, whatever its signature', async () => {
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

  test('administration rejects unknown fields and names them', async () => {
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

  const entriesOf = async (action: string) => {
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

  test('contain sign-ins, failed sign-ins and sign-outs', async () => {
    const { token, user } = await service.by({}).identity.login({ body: OWNER });
    await service.by({ Authorization: `Bearer ${token}` }).identity.logout();
    await fail(OWNER.email);
    await fail('stranger@example.test');
    await fail('my password typed in the wrong place');
    const ip = expect.stringMatching(/127\.0\.0\.1|::1/) as string;
    const session_id = expect.stringMatching(/^ses_/) as string;
    const byOwner = { actor_type: 'user', actor_id: user.id, ip };
    const [signedIn] = await entriesOf('user.sign_in');
    expect(signedIn).toEqual({
      ...byOwner,
      metadata: { email: OWNER.email, method: 'password', session_id },
    });
    expect(await entriesOf('user.sign_out')).toEqual([{ ...byOwner, metadata: { session_id } }]);
    const failed = (actor_id: string, email: string | null, reason: string) => ({
      actor_type: 'user',
      actor_id,
      ip,
      metadata: { email, method: 'password', reason },
    });
    expect(await entriesOf('user.sign_in_failed')).toEqual([
      failed('unknown', null, 'unknown account'),
      failed('unknown', 'stranger@example.test', 'unknown account'),
      failed(user.id, OWNER.email, 'wrong password'),
    ]);
  });

  test('contain changes as the API shows them, without secrets', async () => {
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
    const [updated] = await entriesOf('user.update');
    expect(updated?.metadata).toMatchObject({
      before: { role: 'viewer' },
      after: { role: 'analyst' },
    });
    const [created] = await entriesOf('api_key.create');
    expect(created?.metadata).toMatchObject({ after: { id: made.id, permissions: ['record'] } });
    const text = JSON.stringify(entries);
    for (const secret of [made.key, rotated.key, user.initial_password ?? '', initial_password])
      expect(text).not.toContain(secret);
  });
});
