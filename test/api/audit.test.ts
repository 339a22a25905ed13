import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { API_KEY } from '../support/control-plane.ts';
import { appendMany, setUpAudited } from '../support/audit-log.ts';
import { EPOCH, isoOf, actors, actions, moment, sampleEntries } from '../support/audit-entries.ts';
import { databases } from '../support/databases.ts';

describe.each(databases)('the audit log on %s', (kind) => {
  const world = setUpAudited(kind);
  const { list, subTenant } = world;
  const latest = async () => (await list({ query: { limit: 1 } })).entries[0];

  test('an entry contains who changed what from which address, before and after', async () => {
    const params = { model_id: 'audited-model' };
    const price = { input_cost_per_million: 1, output_cost_per_million: 2 };
    const before = await world.service.byKey.costs.putModelCost({ params, body: price });
    const body = { ...price, output_cost_per_million: 3 };
    const after = await world.service.byKey.costs.putModelCost({ params, body });
    expect(await latest()).toEqual({
      id: expect.stringMatching(/^aud_/),
      sequence: expect.any(Number),
      actor_type: 'agent',
      actor_id: expect.stringMatching(/^key_/),
      action: 'model_cost.set',
      resource_type: 'model_cost',
      resource_id: 'audited-model',
      metadata: { before, after },
      ip: '127.0.0.1',
      created_at: expect.stringMatching(/Z$/),
      hash: expect.stringMatching(/^[\da-f]{64}$/),
    });
  });

  test('the log of a tenant begins with its creation, also for a sub-tenant', async () => {
    const born = (tenant: { id: string; name: string }) => ({
      sequence: 1,
      actor_type: 'system',
      actor_id: 'gatehouse',
      action: 'tenant.create',
      resource_type: 'tenant',
      resource_id: tenant.id,
      metadata: { after: tenant },
      ip: null,
    });
    const { entries } = await list({ query: { action: 'tenant.create' } });
    expect(entries).toMatchObject([born({ id: world.service.tenantId, name: 'Gatehouse' })]);
    const { id, byKey } = await subTenant('Born');
    expect(await byKey.audit.listAuditEntries({ query: {} })).toMatchObject({
      entries: [born({ id, name: 'Born' })],
      count: 1,
    });
  });

  test('an entry names the user who made the change', async () => {
    const body = { name: `by-a-person-${kind}`, content: 'x' };
    await world.service.byOwner.prompts.createPrompt({ body });
    expect(await latest()).toMatchObject({
      actor_type: 'user',
      actor_id: (await world.service.byOwner.identity.me()).id,
      action: 'prompt.create',
    });
  });

  test('secrets are masked by name and by format, also within texts', async () => {
    const metadata = {
      password: 'hunter2',
      nested: [{ Client_Secret: 'quite secret', apiKey: 12345678 }],
      note: `the key is ${API_KEY}, and\n-----BEGIN PRIVATE KEY-----\nMIGHAgEAMBMGByqGSM49AgEGCCqG\n-----END PRIVATE KEY-----`,
      tokens_in: 7,
      text: '{"token": "abc"}',
    };
    const body = { name: `with-secrets-${kind}`, content: 'x', metadata };
    await world.service.byOwner.prompts.createPrompt({ body });
    const entry = await latest();
    expect(entry?.metadata).toMatchObject({
      after: {
        metadata: {
          password: '##SECRET##',
          nested: [{ Client_Secret: '##SECRET##', apiKey: '##SECRET##' }],
          note: 'the key is ##API_KEY##, and\n##PRIVATE_KEY##',
          tokens_in: 7,
          text: '{"token": "##SECRET##"}',
        },
      },
    });
    const rows = await world.service.storage.db
      .selectFrom('audit_entries')
      .select('metadata')
      .execute();
    expect(JSON.stringify(rows)).not.toMatch(/hunter2|svc_sk_|BEGIN PRIVATE/);
  });

  test('creating a profile with a key adds an entry without the key', async () => {
    const profile = await world.service.byKey.deployment.getMdmProfile({ query: {} });
    const key = /svc_sk_\w+/.exec(profile)?.[0] ?? '';
    expect(key).not.toBe('');
    const entry = await latest();
    expect(entry).toMatchObject({ action: 'api_key.create', resource_type: 'api_key' });
    expect(JSON.stringify(entry)).not.toContain(key);
  });

  test.each([
    ['limit', { limit: 'x' }, /^limit: /],
    ['offset', { offset: -1 }, /^offset: /],
    ['start_date', { start_date: 'yesterday' }, /^start_date: /],
    ['end_date', { start_date: '2026-02-01', end_date: '2026-01-01' }, /^start_date: .*end_date/],
    ['actor_type', { actor_type: 'robot' }, /^actor_type: /],
    ['action', { action: '*.create' }, /^action: /],
  ])('an invalid %s is rejected', async (_name, query, message) => {
    await expect(list({ query: query as never })).rejects.toMatchObject({
      status: 400,
      code: 'validation_error',
      message: expect.stringMatching(message),
    });
  });

  test('a limit above the maximum is reduced to it, and the default is 100', async () => {
    expect(await list({ query: { limit: 5000 } })).toMatchObject({ limit: 1000, offset: 0 });
    expect(await list()).toMatchObject({ limit: 100, offset: 0 });
  });

  test('other tenants and requests without a key cannot read the log', async () => {
    await expect(world.service.by({}).audit.listAuditEntries({ query: {} })).rejects.toMatchObject({
      status: 401,
    });
    const { key } = await world.service.byOwner.identity.createApiKey({
      body: { name: 'only records', permissions: ['record'] },
    });
    const recording = world.service.by({ 'X-Svc-Key': key });
    await expect(recording.audit.listAuditEntries({ query: {} })).rejects.toMatchObject({
      status: 403,
    });
    await appendMany(world.service.storage, 'tnt_other', [{}]);
    const { count } = await list();
    await appendMany(world.service.storage, 'tnt_other', [{}]);
    expect((await list()).count).toBe(count);
  });

  test('filters find the same as checking every entry, on all pages', async () => {
    const stored = await appendMany(
      world.service.storage,
      world.service.tenantId,
      sampleEntries(300),
    );
    const filter = fc.record({
      actor_type: fc.option(fc.constantFrom(...actors), { nil: undefined }),
      action: fc.option(fc.constantFrom(...actions, 'policy.*', 'p*', '*', 'policy', 'none.*'), {
        nil: undefined,
      }),
      start: fc.option(moment, { nil: undefined }),
      // Everything here is older than the entries of other tests.
      end: moment,
    });
    const property = async ({ actor_type, action, start, end }: FilterOf<typeof filter>) => {
      const from = start === undefined ? -Infinity : EPOCH + Math.min(start, end);
      const to = EPOCH + end;
      const matches = (given: string) =>
        action?.endsWith('*') ? given.startsWith(action.slice(0, -1)) : given === action;
      const expected = stored
        .filter((row) => row.created_at >= from && row.created_at < to)
        .filter((row) => actor_type === undefined || row.actor_type === actor_type)
        .filter((row) => action === undefined || matches(row.action))
        .toSorted((a, b) => b.created_at - a.created_at || b.sequence - a.sequence)
        .map(({ id }) => id);
      const query = {
        actor_type,
        action,
        end_date: isoOf(to),
        ...(start !== undefined && { start_date: isoOf(from) }),
      };
      const first = await list({ query: { ...query, limit: 40 } });
      const rest = await list({ query: { ...query, limit: 1000, offset: 40 } });
      expect([...first.entries, ...rest.entries].map(({ id }) => id)).toEqual(expected);
      expect([first.count, rest.count]).toEqual([expected.length, expected.length]);
    };
    await fc.assert(fc.asyncProperty(filter, property), { numRuns: 40 });
  });
});

type FilterOf<A> = A extends fc.Arbitrary<infer T> ? T : never;
