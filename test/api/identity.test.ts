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

  test('signing in sets an http-only cookie that works as session, until signing out', async () => {
    const response = await signIn(OWNER);
    expect(response.headers.get('set-cookie')).toMatch(
      /^svc_session=[\w.-]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=43200$/,
    );
    const browser = service.by({ Cookie: cookieOf(response), Origin: service.urls.public });
    expect(await browser.identity.me()).toEqual({
      id: expect.stringMatching(/^usr_/) as string,
      email: OWNER.email,
      role: 'owner',
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
  });

  test('ten failures, then 429 with the time to wait, then again', async () => {
    const account = { email: 'guessed@example.test', password: 'no' };
    const now = Date.now();
    service.setTime(now);
    const statuses: number[] = [];
    for (let i = 0; i < 11; i += 1) statuses.push((await signIn(account)).status);
    const refused = await signIn(account);
    service.setTime(now + 15 * 60_000 + 1);
    const later = await signIn(account);
    service.setTime(undefined);
    expect({ statuses, wait: refused.headers.get('retry-after'), later: later.status }).toEqual({
      statuses: [...Array<number>(10).fill(401), 429],
      wait: '900',
      later: 401,
    });
  });

  test('thirty guesses at once are ten failures and twenty refusals', async () => {
    const account = { email: 'hammered@example.test', password: 'no' };
    const responses = await Promise.all(Array.from({ length: 30 }, () => signIn(account)));
    expect(responses.map(({ status }) => status).sort((a, b) => a - b)).toEqual([
      ...Array<number>(10).fill(401),
      ...Array<number>(20).fill(429),
    ]);
  });

  test('signing in never counts as a failure', async () => {
    const statuses: number[] = [];
    for (let i = 0; i < 12; i += 1) statuses.push((await signIn(OWNER)).status);
    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  test.each(['', 'nonsense', 'eyJhbGciOiJub25lIn0.eyJ0aWQiOiJ4Iiwic2lkIjoieCJ9.'])(
    'the token %j is no session',
    async (token) => {
      const client = service.by({ Authorization: `Bearer ${token}` });
      await expect(client.identity.me()).rejects.toMatchObject({ status: 401 });
    },
  );

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

  test('an expired key is refused', async () => {
    const { key } = await service.byOwner.identity.createApiKey({
      body: { name: 'old', permissions: ['record'], expires_at: '2020-01-01T00:00:00.000Z' },
    });
    const client = service.by({ 'X-Svc-Key': key });
    await expect(client.recording.startRun({ body: { agent_name: 'a' } })).rejects.toMatchObject({
      status: 401,
    });
  });

  test('administration refuses fields that it does not know, by name', async () => {
    const body = { name: 'n', permissions: ['record'], colour: 'red' } as never;
    await expect(service.byOwner.identity.createApiKey({ body })).rejects.toThrow(/colour/);
  });
});
