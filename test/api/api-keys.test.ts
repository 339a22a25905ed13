import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ResponseError } from '#contract/client.ts';
import type { Permission } from '#contract/route.ts';
import { startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import { databases } from '../support/databases.ts';

describe.each(databases)('identity on %s', (kind) => {
  let service: TestControlPlane;
  beforeAll(async () => {
    service = await startTestControlPlane(kind);
  });
  afterAll(() => service.stop());

  test('an API key is shown once, allows only its permissions, and is refused once revoked', async () => {
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

  test('a key works until it expires, and its expiry must be in the future', async () => {
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

  test('the last use of a key is stored to the minute', async () => {
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

  test('after rotation both keys work during the overlap, then only the new one', async () => {
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

  test('a key has one successor, even with repeated and concurrent rotations', async () => {
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

  test('a key that expires cannot create one that lives longer', async () => {
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
    const requests = [
      () => identity.createApiKey({ body }),
      () => identity.createApiKey({ body: { ...body, expires_at: later } }),
      () => identity.rotateApiKey({ params: { id: lasting.id }, body: {} }),
    ];
    for (const send of requests)
      await expect(send()).rejects.toMatchObject({
        status: 400,
        message: `expires_at: expected no later than ${end}, when your own API key expires`,
      });
    expect((await identity.createApiKey({ body: { ...body, expires_at: end } })).expires_at).toBe(
      end,
    );
    service.setTime(undefined);
  });

  test('a key cannot create a key with more permissions than its own', async () => {
    const { key } = await service.byOwner.identity.createApiKey({
      body: { name: 'automation', permissions: ['admin', 'record'] },
    });
    const { identity } = service.by({ 'X-Svc-Key': key });
    const make = (...permissions: Permission[]) =>
      identity.createApiKey({ body: { name: 'made', permissions } });
    await expect(make('record', 'enroll', 'policies:write')).rejects.toMatchObject({
      status: 403,
      message: 'you do not have these permissions yourself: enroll, policies:write',
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
});
