import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contract } from '#contract/index.ts';
import type { Route } from '#contract/route.ts';
import type { Context } from '#control-plane/context.ts';
import { credentialOfSubUser } from '#control-plane/sub-users/sub-user-caller.ts';
import { deriveSecrets } from '#control-plane/lib/derived-keys.ts';
import { type AuditedService, SECRET_KEY, startAudited } from '../support/audit-log.ts';

/** Routes that accept API keys. */
const routesOfPrograms = Object.values(contract)
  .flatMap((group) => Object.values(group) as Route[])
  .filter(
    ({ auth, listener = 'main' }) =>
      (auth === 'api-key' || auth === 'admin') && listener === 'main',
  );

/** A route for which any API key is sufficient. */
const { permission: _permission, ...routeOfAnyKey }: Route = contract.recording.startRun;

describe('the token of a sub-user without permissions', () => {
  let service: AuditedService;
  beforeAll(async () => {
    service = await startAudited('sqlite');
  });
  afterAll(() => service.stop());

  const issue = async (body: object): Promise<string> =>
    (await service.byKey.subUsers.issueSubUserToken({ body: { sub_user_id: 'ada', ...body } }))
      .token;

  const statusOf = async ({ method, path }: Route, token: string): Promise<number> => {
    const response = await fetch(service.urls.public + path.replaceAll(/\{\w+\}/g, 'x'), {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(method !== 'GET' && { body: '{}' }),
    });
    await response.text();
    return response.status;
  };

  test('cannot call any route for programs', async () => {
    const token = await issue({ roles: [], permissions: [] });
    expect(routesOfPrograms.length).toBeGreaterThan(20);
    for (const route of routesOfPrograms)
      expect([route.method, route.path, await statusOf(route, token)]).toEqual([
        route.method,
        route.path,
        403,
      ]);
  });

  test('cannot call a route that accepts any key either, even with the role admin', async () => {
    const { storage } = service;
    const parts: Partial<Context> = { storage, secrets: deriveSecrets(SECRET_KEY), now: Date.now };
    const callerWith = async (body: object) =>
      (await credentialOfSubUser(parts as Context, await issue(body))).callerOf(routeOfAnyKey);
    for (const roles of [[], ['admin']])
      await expect(callerWith({ roles, permissions: [] })).rejects.toMatchObject({
        code: 'forbidden',
        message: 'this token has no permission',
      });
    expect(await callerWith({ permissions: ['enroll'] })).toMatchObject({
      tenantId: service.tenantId,
      permissions: ['enroll'],
    });
  });
});
