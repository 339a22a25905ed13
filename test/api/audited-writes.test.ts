import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contract } from '#contract/index.ts';
import type { Route } from '#contract/route.ts';
import { type AuditedService, startAudited } from '../support/audit-log.ts';
import { auditedWrites } from '../support/audited-writes.ts';
import { type ModelProvider, startModelProvider } from '../support/model-provider.ts';
import { settings } from '../support/playground.ts';
import { unauditedRoutes } from '../support/unaudited-routes.ts';
import { databases } from '../support/databases.ts';

const writing = Object.entries(contract).flatMap(([group, routes]) =>
  Object.entries<Route>(routes)
    .filter(([, { method }]) => method !== 'GET')
    .map(([name]) => `${group}.${name}`),
);

test.each(writing)('%s is in the audit log, or its absence has a reason', (name) => {
  expect([name in auditedWrites, name in unauditedRoutes]).toContain(true);
  expect(name in auditedWrites && name in unauditedRoutes).toBe(false);
});

test.each(
  Object.entries(contract).flatMap(([group, routes]) =>
    Object.entries<Route>(routes)
      .filter(([name, { method }]) => method === 'GET' && `${group}.${name}` in auditedWrites)
      .map(([name, { hasSideEffects }]) => ({ name, hasSideEffects })),
  ),
)('$name is a GET with side effects: HEAD is rejected', ({ hasSideEffects }) => {
  expect(hasSideEffects).toBe(true);
});

test('the lists name only existing routes', () => {
  const all = Object.entries(contract).flatMap(([group, routes]) =>
    Object.keys(routes).map((name) => `${group}.${name}`),
  );
  const named = [...Object.keys(auditedWrites), ...Object.keys(unauditedRoutes)];
  expect(named.filter((name) => !all.includes(name))).toEqual([]);
});

describe.each(databases)('administrative writes on %s', (kind) => {
  let models: ModelProvider;
  let service: AuditedService;
  beforeAll(async () => {
    models = await startModelProvider();
    service = await startAudited(kind, settings(models, 'openai'));
  });
  afterAll(async () => {
    await service.stop();
    await models.stop();
  });

  const log = (by = service.byKey) => by.audit.listAuditEntries({ query: { limit: 1 } });

  test.each(Object.entries(auditedWrites))(
    '%s adds exactly one log entry',
    async (_name, prepare) => {
      const write = await prepare(service);
      const before = await log(write.by);
      await write();
      const after = await log(write.by);
      expect(after.count).toBe(before.count + 1);
      expect(after.entries[0]).toMatchObject({
        action: expect.stringMatching(/^[a-z_]+\.[a-z_]+$/),
        resource_type: expect.stringMatching(/^[a-z_]+$/),
        resource_id: expect.stringMatching(/./),
        ip: '127.0.0.1',
      });
      expect(after.entries[0]?.sequence).toBe((before.entries[0]?.sequence ?? 0) + 1);
    },
  );

  test('a rejected write adds no entry', async () => {
    const body = { name: 'twice', content: 'x' };
    await service.byOwner.prompts.createPrompt({ body });
    const { count } = await log();
    await expect(service.byOwner.prompts.createPrompt({ body })).rejects.toMatchObject({
      status: 409,
    });
    expect((await log()).count).toBe(count);
  });
});
