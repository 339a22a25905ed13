import { SignJWT, UnsecuredJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { deriveSecrets } from '#control-plane/lib/derived-keys.ts';
import type { TestClient } from '../support/control-plane.ts';
import { databases } from '../support/databases.ts';
import { errorMatching, SECRET_KEY } from '../support/enterprise.ts';
import { type NewSubUserToken, setUpSubUserTokens } from '../support/sub-user-tokens.ts';

const numbered = (count: number): string[] => Array.from({ length: count }, (_, i) => `n${i}`);

const MINUTE = 60_000;
const invalid = { status: 401, message: 'the token is invalid' };

describe.each(databases)('sub-user tokens on %s', (kind) => {
  const { world, issueSubUserToken, issue, validate, bearer, statusOf } = setUpSubUserTokens(kind);
  const { withKey, subTenant } = world;

  test('identify the sub-user until they expire', async () => {
    const now = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
    world.service.setTime(now);
    const body = {
      sub_user_id: 'user 7/é',
      email: 'ada@example.test',
      display_name: 'Ada',
      roles: ['viewer' as const, 'analyst' as const],
      permissions: ['record' as const],
    };
    const { token, session_id, expires_at } = await issueSubUserToken(body);
    expect([token, session_id, expires_at]).toEqual([
      expect.stringMatching(/^svc_su_[\w-]+\.[\w-]+\.[\w-]+$/),
      expect.stringMatching(/^sus_/),
      new Date(now + 3_600_000).toISOString(),
    ]);
    const claims = {
      valid: true,
      tenant_id: expect.stringMatching(/^tnt_/) as string,
      session_id,
      ...body,
      issued_at: new Date(now).toISOString(),
      expires_at,
    };
    expect(await validate(token)).toEqual(claims);
    // Clocks may differ by up to a minute.
    world.service.setTime(now + 3_600_000 + MINUTE - 1000);
    expect(await validate(token)).toEqual(claims);
    world.service.setTime(now + 3_600_000 + MINUTE + 1000);
    expect(await validate(token)).toEqual({ valid: false });
    expect(await statusOf(bearer(token).events.recordEvents({ body: { events: [] } }))).toBe(401);
    world.service.setTime(undefined);
  });

  test('on routes for keys, their permissions decide', async () => {
    const recorder = await issue({ permissions: ['record'] });
    const start = (client: TestClient) =>
      statusOf(client.recording.startRun({ body: { agent_name: 'a' } }));
    expect([
      await start(bearer(recorder)),
      await start(withKey(recorder)),
      await start(bearer(await issue({ roles: ['admin'] }))),
      await start(bearer(await issue({ permissions: ['enroll'] }))),
      await statusOf(withKey(recorder).runs.listRuns({ query: {} })),
      await statusOf(withKey(recorder).subTenants.listSubTenants({ query: {} })),
    ]).toEqual([200, 200, 403, 403, 403, 403]);
  });

  test('on routes for users, their strongest role decides', async () => {
    const by = async (...roles: string[]) => bearer(await issue({ roles }));
    const read = async (client: TestClient) => statusOf(client.runs.listRuns({ query: {} }));
    const change = async (client: TestClient) =>
      statusOf(
        client.settings
          .getRecordingSettings()
          .then((body) => client.settings.putRecordingSettings({ body })),
      );
    const unprivileged = await by();
    const viewer = await by('viewer');
    const admin = await by('viewer', 'admin');
    expect([await read(unprivileged), await read(viewer), await read(admin)]).toEqual([
      403, 200, 200,
    ]);
    expect([await change(viewer), await change(admin)]).toEqual([403, 200]);
  });

  test('on routes for both, either is sufficient', async () => {
    const list = async (body: Partial<NewSubUserToken>) =>
      statusOf(bearer(await issue(body)).subTenants.listSubTenants({ query: {} }));
    expect([
      await list({ roles: ['admin'] }),
      await list({ permissions: ['admin'] }),
      await list({ roles: ['analyst'], permissions: ['record'] }),
    ]).toEqual([200, 200, 403]);
  });

  test('of a sub-tenant are valid only there', async () => {
    const one = await subTenant('Tokens');
    const token = await issue({ roles: ['admin'], permissions: ['record', 'admin'] }, one.byKey);
    expect(await validate(token, one.byKey)).toMatchObject({ valid: true, tenant_id: one.id });
    expect(await validate(token)).toEqual({ valid: false });
    const { sub_tenants } = await bearer(token).subTenants.listSubTenants({ query: {} });
    expect(sub_tenants).toEqual([]);
    const params = { sub_tenant_id: one.id };
    await world.service.byKey.subTenants.suspendSubTenant({ params, body: {} });
    await expect(bearer(token).runs.listRuns({ query: {} })).rejects.toMatchObject(
      errorMatching(403, /suspended/),
    );
  });

  test('that are forged, altered, unsigned or of another kind are all rejected', async () => {
    const token = await issue({ roles: ['admin'], permissions: ['record'] });
    const [header, payload = '', signature] = token.slice('svc_su_'.length).split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<
      string,
      string
    >;
    const sign = (key: Uint8Array, alg = 'HS256', content: object = claims) =>
      new SignJWT({ ...content }).setProtectedHeader({ alg, typ: 'JWT' }).sign(key);
    const { subUserKey, sessionKey } = deriveSecrets(SECRET_KEY);
    const altered = Buffer.from(JSON.stringify({ ...claims, sid: 'sus_other' })).toString(
      'base64url',
    );
    const forged = [
      new UnsecuredJWT(claims).encode(),
      await sign(sessionKey),
      await sign(new TextEncoder().encode('some other key of enough length')),
      await sign(subUserKey, 'HS512'),
      await sign(subUserKey, 'HS256', { ...claims, sid: 'sus_other' }),
      await sign(subUserKey, 'HS256', { ...claims, sub: 'somebody else' }),
      await sign(subUserKey, 'HS256', { ...claims, tid: 'tnt_other' }),
      await sign(subUserKey, 'HS256', { ...claims, exp: 1 }),
      `${header}.${altered}.${signature}`,
      `${header}.${payload}.`,
      'nonsense',
      '',
    ].map((text) => `svc_su_${text}`);
    // A token signed with the real key is accepted, so the forged ones are rejected only for their
    // differences.
    expect(await validate(`svc_su_${await sign(subUserKey)}`)).toMatchObject({ valid: true });
    for (const one of forged) {
      expect(await validate(one)).toEqual({ valid: false });
      const { recording, runs, subTenants } = bearer(one);
      await expect(recording.startRun({ body: { agent_name: 'a' } })).rejects.toMatchObject(
        invalid,
      );
      await expect(runs.listRuns({ query: {} })).rejects.toMatchObject(invalid);
      await expect(subTenants.listSubTenants({ query: {} })).rejects.toMatchObject(invalid);
    }
  });

  test('revoking ends every session of the sub-user at once, and no other', async () => {
    const [one, two, other] = await Promise.all([
      issue({ sub_user_id: 'leaver', permissions: ['record'] }),
      issue({ sub_user_id: 'leaver', roles: ['viewer'] }),
      issue({ sub_user_id: 'stayer', permissions: ['record'] }),
    ]);
    const revokeSubUser = (sub_user_id: string, by: TestClient = world.service.byKey) =>
      by.subUsers.revokeSubUser({ params: { sub_user_id } });
    const elsewhere = await subTenant('Revoking');
    expect(await revokeSubUser('leaver', elsewhere.byKey)).toEqual({ revoked: 0 });
    expect(await validate(one)).toMatchObject({ valid: true });
    expect(await revokeSubUser('leaver')).toEqual({ revoked: 2 });
    expect(await validate(one)).toEqual({ valid: false });
    await expect(
      bearer(one).recording.startRun({ body: { agent_name: 'a' } }),
    ).rejects.toMatchObject(invalid);
    await expect(bearer(two).runs.listRuns({ query: {} })).rejects.toMatchObject(invalid);
    expect(await validate(other)).toMatchObject({ valid: true });
    expect(await revokeSubUser('leaver')).toEqual({ revoked: 0 });
    expect(await validate(await issue({ sub_user_id: 'leaver' }))).toMatchObject({ valid: true });
  });

  test('revoking also ends a session that is valid only within the clock tolerance', async () => {
    const now = Date.now();
    world.service.setTime(now);
    const params = { sub_user_id: 'late' };
    const token = await issue({ ...params, expires_in: 1 });
    world.service.setTime(now + 2500);
    expect(await validate(token)).toMatchObject({ valid: true });
    expect(await world.service.byKey.subUsers.revokeSubUser({ params })).toEqual({ revoked: 1 });
    expect(await validate(token)).toEqual({ valid: false });
    await issue({ ...params, expires_in: 1 });
    world.service.setTime(now + 3 * MINUTE);
    expect(await world.service.byKey.subUsers.revokeSubUser({ params })).toEqual({ revoked: 0 });
    world.service.setTime(undefined);
  });

  test('cannot grant access to others, neither by roles nor by permissions', async () => {
    const { identity } = world.service.byOwner;
    const email = `managed-${kind}@example.test`;
    const { id } = await identity.createUser({ body: { email, role: 'viewer' } });
    const key = await identity.createApiKey({ body: { name: 'k', permissions: ['admin'] } });
    const [ofUser, ofKey] = [{ params: { id } }, { params: { id: key.id } }];
    for (const given of [{ roles: ['admin' as const] }, { permissions: ['admin' as const] }]) {
      const by = bearer(await issue(given));
      const requests = [
        () => by.identity.createApiKey({ body: { name: 'k', permissions: ['admin'] } }),
        () => by.identity.rotateApiKey({ ...ofKey, body: {} }),
        () => by.identity.revokeApiKey(ofKey),
        () => by.identity.createUser({ body: { email: 'x@example.test', role: 'viewer' } }),
        () => by.identity.updateUser({ ...ofUser, body: { role: 'admin' } }),
        () => by.identity.deleteUser(ofUser),
        () => by.identity.resetPassword(ofUser),
        () => issueSubUserToken({ sub_user_id: 'y' }, by),
        () => by.subTenants.createSubTenant({ body: { name: 'mine' } }),
      ];
      for (const one of requests)
        await expect(one()).rejects.toMatchObject(
          errorMatching(
            403,
            /^a sub-user token cannot grant access: use an API key or a user account$/,
          ),
        );
      await by.identity.listUsers();
    }
  });

  test('may contain names defined by the customer, which allow nothing here', async () => {
    const { key } = await world.service.byOwner.identity.createApiKey({
      body: { name: 'front end', permissions: ['admin'] },
    });
    const given = {
      roles: ['agent_user', 'Admin', 'ADMIN', ' admin', 'admin ', 'admіn', 'Vertrieb Süd'],
      permissions: ['agents:trigger', 'Record', 'record:all', 'admin:read', 'policies:Write'],
    };
    for (const issuer of [withKey(key), world.service.byKey, world.service.byOwner]) {
      const token = await issue(given, issuer);
      expect(await validate(token)).toMatchObject({ valid: true, ...given });
      const { recording, runs, subTenants, policies } = bearer(token);
      const requests = [
        () => recording.startRun({ body: { agent_name: 'a' } }),
        () => runs.listRuns({ query: {} }),
        () => subTenants.listSubTenants({ query: {} }),
        () => policies.listPolicies({ query: {} }),
      ];
      for (const send of requests) expect(await statusOf(send())).toBe(403);
    }
    const mixed = { roles: ['agent_user', 'viewer'], permissions: ['agents:trigger', 'record'] };
    const token = await issue(mixed);
    expect(await validate(token)).toMatchObject(mixed);
    expect(await statusOf(bearer(token).runs.listRuns({ query: {} }))).toBe(200);
    const claims = JSON.parse(
      Buffer.from(token.split('.')[1] ?? '', 'base64url').toString(),
    ) as object;
    expect(claims).toMatchObject(mixed);
  });

  test('do not gain access when a name in them becomes a known role later', async () => {
    const { token, session_id } = await issueSubUserToken({
      sub_user_id: 'early',
      roles: ['admin', 'viewer'],
      permissions: ['admin', 'agents:trigger'],
    });
    // Simulates that "admin" was not a known role when the token was issued.
    await world.storage.db
      .updateTable('sub_user_sessions')
      .set({ known_roles: '["viewer"]', known_permissions: '["retired"]' })
      .where('id', '=', session_id)
      .execute();
    expect(await validate(token)).toMatchObject({
      roles: ['admin', 'viewer'],
      permissions: ['admin', 'agents:trigger'],
    });
    expect(await statusOf(bearer(token).runs.listRuns({ query: {} }))).toBe(200);
    expect(await statusOf(bearer(token).subTenants.listSubTenants({ query: {} }))).toBe(403);
  });

  test('work with the maximum number and length of names', async () => {
    const names = numbered(32).map((name) => name.padEnd(64, '"'));
    const body = { sub_user_id: '\u0001'.repeat(200), roles: names, permissions: names };
    const token = await issue(body);
    expect(await validate(token)).toMatchObject({ valid: true, roles: names });
    expect(await statusOf(bearer(token).runs.listRuns({ query: {} }))).toBe(403);
  });

  test('that ended a day ago are deleted when the next one is issued', async () => {
    const past = Date.now() - 26 * 60 * MINUTE;
    world.service.setTime(past);
    const { session_id } = await issueSubUserToken({ sub_user_id: 'old' });
    world.service.setTime(undefined);
    const kept = async () =>
      (
        await world.storage.db
          .selectFrom('sub_user_sessions')
          .select('id')
          .where('id', '=', session_id)
          .execute()
      ).length;
    expect(await kept()).toBe(1);
    await issue({});
    expect(await kept()).toBe(0);
  });

  test.each<[string, object, RegExp]>([
    ['no id', {}, /^sub_user_id: /],
    ['an empty id', { sub_user_id: '' }, /^sub_user_id: /],
    [
      'a role twice',
      { sub_user_id: 'x', roles: ['viewer', 'viewer'] },
      /^roles: expected no duplicates$/,
    ],
    ['an empty role', { sub_user_id: 'x', roles: ['a', ''] }, /^roles\[1\]: /],
    ['33 roles', { sub_user_id: 'x', roles: numbered(33) }, /^roles: /],
    ['33 permissions', { sub_user_id: 'x', permissions: numbered(33) }, /^permissions: /],
    ['65 letters', { sub_user_id: 'x', roles: ['x'.repeat(65)] }, /^roles\[0\]: .*64/],
    ['66 bytes', { sub_user_id: 'x', roles: ['é'.repeat(33)] }, /^roles\[0\]: .*64 bytes/],
    [
      'a line break',
      { sub_user_id: 'x', permissions: ['a\nb'] },
      /^permissions\[0\]: expected no control characters$/,
    ],
    ['a role that is no text', { sub_user_id: 'x', roles: [1] }, /^roles\[0\]: /],
    ['no time at all', { sub_user_id: 'x', expires_in: 0 }, /^expires_in: /],
    ['a month and a second', { sub_user_id: 'x', expires_in: 2_592_001 }, /^expires_in: /],
    ['half a second', { sub_user_id: 'x', expires_in: 1.5 }, /^expires_in: /],
    ['an address that is none', { sub_user_id: 'x', email: 'not-an-address' }, /^email: /],
    ['an unknown field', { sub_user_id: 'x', colour: 'red' }, /colour/],
  ])('%s is rejected by name', async (_, body, message) => {
    await expect(issueSubUserToken(body as never)).rejects.toMatchObject({
      ...errorMatching(400, message),
      code: 'validation_error',
    });
  });

  test('lifetimes of one second and of thirty days are accepted', async () => {
    const now = Date.now();
    world.service.setTime(now);
    for (const expires_in of [1, 2_592_000]) {
      const { expires_at } = await issueSubUserToken({ sub_user_id: 'x', expires_in });
      expect(expires_at).toBe(new Date(now + expires_in * 1000).toISOString());
    }
    world.service.setTime(undefined);
  });

  test('a tenant may send a hundred invalid tokens per minute, then gets 429', async () => {
    const one = await subTenant('Guessing');
    const now = Date.now();
    world.service.setTime(now);
    const token = await issue({}, one.byKey);
    for (let i = 0; i < 100; i += 1) await validate(`svc_su_${i}`, one.byKey);
    const answer = await fetch(`${world.service.urls.public}/svc/v1/identity/sub-users/validate/`, {
      method: 'POST',
      headers: { 'X-Svc-Key': one.apiKey },
      body: JSON.stringify({ token }),
    });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '60']);
    expect(await validate('svc_su_x')).toEqual({ valid: false });
    world.service.setTime(now + MINUTE);
    expect(await validate(token, one.byKey)).toMatchObject({ valid: true });
    world.service.setTime(undefined);
  });
});
