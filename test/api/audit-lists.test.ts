import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databases } from '../support/databases.ts';
import { startTwoTenants, type TwoTenants } from '../support/two-tenants.ts';

describe.each(databases)('the list of the audit log on %s', (kind) => {
  let service: TwoTenants;
  let policy = '';

  beforeAll(async () => {
    service = await startTwoTenants(kind);
    const { policies, prompts, identity } = service.one.byOwner;
    const rules = { daily_cost_limit: 1 };
    const budget = { name: 'Budget of support', category: 'budget' as const, rules };
    policy = (await policies.createPolicy({ body: budget })).id;
    await prompts.createPrompt({ body: { name: 'support-prompt', content: 'x' } });
    await identity.createApiKey({ body: { name: 'deploy robot', permissions: ['record'] } });
    const params = { model_id: 'priced' };
    const body = { input_cost_per_million: 1, output_cost_per_million: 2 };
    await service.one.byKey.costs.putModelCost({ params, body });
    await service.other.byOwner.policies.createPolicy({ body: budget });
    for (const { id, email } of (await service.one.byOwner.identity.listUsers()).results)
      names.set(id, email);
    for (const { id, name } of (await identity.listApiKeys()).results) names.set(id, name);
  });
  afterAll(() => service.stop());

  type Entry = Awaited<ReturnType<typeof list>>['entries'][number];
  /** The names of users and API keys by their ids. */
  const names = new Map<string, string>();
  const countOf = (query: object) => service.one.byOwner.audit.summarizeAuditEntries({ query });
  const list = (query: object) => service.one.byOwner.audit.listAuditEntries({ query });
  const actionsOf = async (query: object) =>
    (await list(query)).entries.map(({ action }) => action);

  test.each([
    [{ resource: 'SUPPORT' }, ['prompt.create', 'policy.create']],
    [{ resource: 'support', sort: 'created_at' }, ['policy.create', 'prompt.create']],
    [{ resource: 'support', limit: 1, offset: 1 }, ['policy.create']],
    [{ resource: 'support', action: 'policy.*' }, ['policy.create']],
    [{ resource: 'support', action: 'policy.create' }, ['policy.create']],
    [{ resource: 'support', actor: 'owner@example' }, ['prompt.create', 'policy.create']],
    [{ resource: 'support', actor_type: 'agent' }, []],
    [{ resource: 'robot' }, ['api_key.create']],
    [{ resource: 'priced' }, ['model_cost.set']],
    [{ resource: '%' }, []],
    [{ actor: 'owner@example', action: 'p*' }, ['prompt.create', 'policy.create']],
    [{ actor: 'owner@other' }, []],
    [{ actor: 'owner@example', action: 'model_cost.*' }, []],
  ])('%j finds %j', async (query, actions) => {
    expect(await actionsOf(query)).toEqual(actions);
    const { sort: _sort, limit, offset: _offset, ...filter } = query as Record<string, unknown>;
    expect(limit ?? (await countOf(filter)).count).toBe(actions.length);
  });

  test.each([
    ['action', ({ action }: Entry) => action],
    ['actor', ({ actor_id }: Entry) => names.get(actor_id) ?? actor_id],
    ['resource', ({ resource_type, resource_id }: Entry) => `${resource_type} ${resource_id}`],
    ['ip', ({ ip }: Entry) => ip],
  ] as const)('entries are sorted by %s, those without a value last', async (sort, valueOf) => {
    const [up, down] = [await list({ sort }), await list({ sort: `-${sort}` })];
    expect([up.incomplete, up.count, up.entries.length]).toEqual([false, up.count, up.count]);
    const values = (page: typeof up) =>
      page.entries.map(valueOf).filter((value): value is string => value !== null);
    expect(values(up)).toEqual(values(up).toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0)));
    expect(values(down)).toEqual(values(up).toReversed());
    for (const { entries } of [up, down])
      expect(entries.slice(0, values(up).length).every((one) => valueOf(one) !== null)).toBe(true);
    const pages = await Promise.all([0, 1, 2].map((offset) => list({ sort, limit: 1, offset })));
    expect(pages.flatMap(({ entries }) => entries)).toEqual(up.entries.slice(0, 3));
    const { audit } = service.one.byOwner;
    const text = await audit.exportAuditEntries({ query: { sort, format: 'jsonl' } });
    const lines = text.split('\n').filter((line) => line !== '');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(up.entries);
  });

  test('entries are counted over time according to the filter', async () => {
    const { entries, count } = await list({});
    const all = await countOf({});
    expect([all.count, all.complete]).toEqual([count, true]);
    const length = all.bucket_seconds * 1000;
    const starts = entries.map(({ created_at }) => Date.parse(created_at));
    const expected = [...Map.groupBy(starts, (at) => at - (at % length))]
      .sort(([a], [b]) => a - b)
      .map(([start, own]) => ({ start: new Date(start).toISOString(), count: own.length }));
    expect(all.buckets).toEqual(expected);
    const { created_at = '' } = entries[1] ?? {};
    const earlier = starts.filter((at) => at < Date.parse(created_at));
    expect((await countOf({ end_date: created_at })).count).toBe(earlier.length);
    expect((await countOf({ action: 'policy.*', actor_type: 'user' })).count).toBe(1);
    expect((await countOf({ actor_type: 'user' })).count).toBe(
      entries.filter(({ actor_type }) => actor_type === 'user').length,
    );
  });

  test("entries about an object are found and counted by the object's id", async () => {
    const page = await list({ resource: policy });
    expect(page.entries.map(({ resource_id }) => resource_id)).toEqual([policy]);
    expect([page.count, page.count_exact]).toEqual([1, true]);
    const { count } = await list({ resource: 'support', limit: 1 });
    expect(count).toBe(2);
  });

  test('a file contains exactly the entries of a filter, in their order', async () => {
    const { audit } = service.one.byOwner;
    for (const query of [{ resource: 'support' }, { action: 'policy.*' }, { sort: 'created_at' }]) {
      const { entries } = await list(query);
      const text = await audit.exportAuditEntries({
        query: { ...query, format: 'jsonl' } as never,
      });
      const lines = text.split('\n').filter((line) => line !== '');
      expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(entries);
    }
    const csv = await audit.exportAuditEntries({ query: { action: 'policy.*', format: 'csv' } });
    expect(csv.split('\r\n')).toHaveLength(3);
    expect(csv).toContain('policy.create');
  });

  test('sorting by time works in both directions', async () => {
    const sequences = async (sort: string) =>
      (await list({ sort })).entries.map(({ sequence }) => sequence);
    const newest = await sequences('-created_at');
    expect(newest.length).toBeGreaterThan(4);
    expect(await sequences('created_at')).toEqual(newest.toReversed());
  });

  test('a search that matches too many names is rejected', async () => {
    const users = Array.from({ length: 50 }, (_, at) => ({
      tenant_id: 'tnt_other',
      id: `usr_many_${at}`,
      email: `many-${at}@example.test`,
      role: 'viewer' as const,
      password_hash: '',
      created_at: at,
    }));
    await service.storage.db.insertInto('users').values(users).execute();
    const { audit } = service.other.byOwner;
    await expect(audit.listAuditEntries({ query: { actor: 'many-' } })).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('actor: more than 50 names') as string,
    });
    expect((await audit.listAuditEntries({ query: { actor: 'many-1@' } })).count).toBe(0);
  });
});
