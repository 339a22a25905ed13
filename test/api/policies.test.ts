import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databases } from '../support/databases.ts';
import { startTwoTenants, type TwoTenants } from '../support/two-tenants.ts';
import { type NewPolicy, rateLimitPolicy, setUpPolicies } from '../support/policies.ts';

const everybody = { agents: [], workflows: [], user_groups: [] };

const refused: [string, object, RegExp][] = [
  ['no name', { category: 'operations' }, /^name: /],
  ['an empty name', { ...rateLimitPolicy, name: '' }, /^name: /],
  [
    'a name with a line break',
    { ...rateLimitPolicy, name: 'a\nb' },
    /^name: expected 1 to 200 characters/,
  ],
  ['a long name', { ...rateLimitPolicy, name: 'a'.repeat(201) }, /^name: /],
  ['no category', { name: 'x' }, /^category: /],
  [
    'an unknown category',
    { ...rateLimitPolicy, category: 'rate' },
    /^category: unknown category "rate"; expected one of operations, rate-limit/,
  ],
  [
    'a rule of the wrong type',
    { ...rateLimitPolicy, rules: { max_per_minute: '9' } },
    /^rules\.max_per_minute: /,
  ],
  [
    'a rule out of range',
    { ...rateLimitPolicy, rules: { max_concurrent: 0 } },
    /^rules\.max_concurrent: /,
  ],
  [
    'an unknown rule',
    { ...rateLimitPolicy, rules: { per_minute: 9 } },
    /^rules\.per_minute: unknown rule; rate-limit has max_per_minute, .*burst_window_seconds$/,
  ],
  ['rules that are none', { ...rateLimitPolicy, rules: [] }, /^rules: /],
  ['a scope of text', { ...rateLimitPolicy, scope: 'support' }, /^scope: /],
  ['an unknown list', { ...rateLimitPolicy, scope: { users: ['a'] } }, /^scope: .*"users"/],
  [
    'a star within a name',
    { ...rateLimitPolicy, scope: { agents: ['a', 'mcp:*:read'] } },
    /^scope\.agents\[1\]: expected a name, or a prefix followed by \*$/,
  ],
  [
    'an empty name of an agent',
    { ...rateLimitPolicy, scope: { agents: [''] } },
    /^scope\.agents\[0\]: /,
  ],
  ['a priority as text', { ...rateLimitPolicy, priority: '1' }, /^priority: /],
  ['a priority below 0', { ...rateLimitPolicy, priority: -1 }, /^priority: /],
  ['enabled as a number', { ...rateLimitPolicy, enabled: 1 }, /^enabled: /],
  ['an unknown field', { ...rateLimitPolicy, colour: 'red' }, /colour/],
  ['a given id', { ...rateLimitPolicy, id: 'pol_1' }, /"id"/],
  [
    'a rule that would be dropped',
    { ...rateLimitPolicy, rules: JSON.parse('{"__proto__": {"max_per_minute": 1}}') as object },
    /^body\.rules\.__proto__: a member cannot have this name$/,
  ],
  [
    'rules without end',
    { ...rateLimitPolicy, rules: { x: 'x'.repeat(262_144) } },
    /^rules: .*262144 bytes/,
  ],
];

describe.each(databases)('policies on %s', (kind) => {
  const world = setUpPolicies(kind);
  const { create, get, remove } = world;

  test('a created policy has all defaults, by a user or a key', async () => {
    world.service.setTime(Date.UTC(2026, 2, 1, 10));
    const policy = await create({ name: 'First', rules: {} });
    const byKey = await create(
      {
        category: 'operations',
        rules: { timeout_seconds: 60 },
        scope: { agents: ['mcp:files:*', 'a', 'a'] },
        description: 'Long runs',
        priority: 5,
        enabled: false,
      },
      world.service.byKey,
    );
    world.service.setTime(undefined);
    expect(policy).toEqual({
      id: expect.stringMatching(/^pol_/),
      name: 'First',
      description: '',
      category: 'rate-limit',
      rules: {
        max_per_minute: 10,
        max_per_hour: 100,
        max_concurrent: 5,
        burst_window_seconds: 10,
      },
      scope: everybody,
      priority: 100,
      severity: 'medium',
      mode: 'enforce',
      enabled: true,
      version: 1,
      created_at: '2026-03-01T10:00:00.000Z',
      updated_at: '2026-03-01T10:00:00.000Z',
    });
    expect(byKey).toMatchObject({
      rules: { timeout_seconds: 60 },
      scope: { ...everybody, agents: ['mcp:files:*', 'a'] },
      description: 'Long runs',
      priority: 5,
      enabled: false,
    });
    expect(await get(byKey.id)).toEqual(byKey);
  });

  test.each(refused)('%s is rejected with one line', async (_what, body, line) => {
    const attempt = world.service.byOwner.policies.createPolicy({ body: body as NewPolicy });
    await expect(attempt).rejects.toMatchObject({ status: 400, code: 'validation_error' });
    await expect(attempt).rejects.toThrow(line);
    await expect(attempt).rejects.toThrow(/^[^\n]+$/);
  });

  test('names are unique', async () => {
    const { id } = await create({ name: 'Twice' });
    const other = await create();
    const problem = {
      status: 409,
      code: 'conflict',
      message: 'a policy already has the name "Twice"',
    };
    await expect(create({ name: 'Twice' })).rejects.toMatchObject(problem);
    const params = { id: other.id };
    const rename = world.service.byOwner.policies.updatePolicy({ params, body: { name: 'Twice' } });
    await expect(rename).rejects.toMatchObject(problem);
    expect(await get(other.id)).toEqual(other);
    await remove(id);
    expect((await create({ name: 'Twice' })).version).toBe(1);
  });

  test('the list is in evaluation order, with filters and pages', async () => {
    const { policies } = world.service.byOwner;
    for (const priority of [200, 50, 100]) await create({ priority });
    const { results: all, count } = await policies.listPolicies({ query: { limit: 100 } });
    const order = all.toSorted((a, b) => a.priority - b.priority || (a.id < b.id ? -1 : 1));
    expect([all, count]).toEqual([order, all.length]);
    const query = { category: 'rate-limit', enabled: 'true', limit: 2, offset: 1 } as const;
    const page = await policies.listPolicies({ query });
    const matching = all.filter(({ category, enabled }) => enabled && category === 'rate-limit');
    expect(page.results).toEqual(matching.slice(1, 3));
    expect(page.count).toBe(matching.length);
    expect(page.next).toMatch(/category=rate-limit&enabled=true&limit=2&offset=3$/);
    const off = await policies.listPolicies({ query: { enabled: 'false' } });
    expect(off.results.map(({ enabled }) => enabled)).toEqual([false]);
    expect((await policies.listPolicies({ query: { category: 'none' } })).count).toBe(0);
    const wrong = policies.listPolicies({ query: { enabled: 'maybe' as 'true' } });
    await expect(wrong).rejects.toThrow(/^enabled: /);
  });

  test('PUT replaces a policy, and omitted fields get their defaults', async () => {
    const { id, created_at } = await create({ description: 'x', priority: 1, enabled: false });
    const body = { name: 'Replaced', category: 'rate-limit', rules: { burst_limit: 3 } };
    const policy = await world.service.byKey.policies.replacePolicy({ params: { id }, body });
    expect(policy).toMatchObject({
      id,
      name: 'Replaced',
      description: '',
      rules: { burst_limit: 3, burst_window_seconds: 10, max_concurrent: 5 },
      priority: 100,
      enabled: true,
      version: 2,
      created_at,
    });
    expect(policy.rules).not.toHaveProperty('max_per_minute');
  });

  test('PATCH merges rules and scope, and null removes values', async () => {
    const { id } = await create({
      rules: { max_per_minute: 30, max_per_day: 500 },
      scope: { agents: ['a'], workflows: ['w'] },
    });
    const patched = await world.service.byOwner.policies.updatePolicy({
      params: { id },
      body: {
        rules: { max_per_minute: null, max_per_hour: 70 },
        scope: { agents: ['b'], workflows: null },
      },
    });
    expect([patched.rules, patched.scope, patched.version]).toEqual([
      { max_per_hour: 70, max_per_day: 500, max_concurrent: 5, burst_window_seconds: 10 },
      { ...everybody, agents: ['b'] },
      2,
    ]);
    const bad = (body: object) =>
      world.service.byOwner.policies.updatePolicy({ params: { id }, body });
    await expect(bad({ rules: { max_per_hour: 'x' } })).rejects.toThrow(/^rules\.max_per_hour: /);
    await expect(bad({ rules: { per_hour: 1 } })).rejects.toThrow(/^rules\.per_hour: /);
    await expect(bad({ scope: { agents: ['*a'] } })).rejects.toThrow(/^scope\.agents\[0\]: /);
    await expect(bad({ colour: 1 })).rejects.toThrow(/colour/);
    await expect(bad({ created_at: '2026-01-01' })).rejects.toThrow(/created_at/);
    expect(await get(id)).toEqual(patched);
  });

  test('the category of a policy cannot be changed', async () => {
    const { id } = await create();
    const body = { name: 'Other', category: 'operations' };
    for (const attempt of [
      () => world.service.byOwner.policies.replacePolicy({ params: { id }, body }),
      () =>
        world.service.byOwner.policies.updatePolicy({
          params: { id },
          body: { ...body, rules: {} },
        }),
    ])
      await expect(attempt()).rejects.toMatchObject({ status: 400 });
  });

  test('categories are listed with their rules and defaults', async () => {
    const { results, count } = await world.service.byOwner.policies.listPolicyCategories();
    expect(count).toBe(results.length);
    expect(results.find(({ name }) => name === 'operations')).toEqual({
      name: 'operations',
      aliases: [],
      summary: 'Warns when a run takes longer than its timeout',
      phases: ['before_workflow', 'mid_execution', 'after_workflow', 'on_failure'],
      captured_calls: false,
      rules: {
        type: 'object',
        properties: {
          timeout_seconds: { type: 'integer', default: 300, minimum: 1, maximum: 31_536_000 },
        },
        additionalProperties: false,
      },
      defaults: { timeout_seconds: 300 },
    });
    expect(results.find(({ name }) => name === 'rate-limit')?.defaults).toMatchObject({
      max_per_minute: 10,
      max_per_hour: 100,
    });
    const blocking = results.filter(({ captured_calls }) => captured_calls);
    expect(blocking.map(({ name }) => name).toSorted()).toEqual([
      'content',
      'end-user-budget',
      'end-user-rate-limit',
      'kill',
      'llm',
    ]);
    for (const { rules } of results) expect(rules).toMatchObject({ type: 'object' });
  });
});

describe.each(databases)('policies of two tenants on %s', (kind) => {
  let tenants: TwoTenants;
  beforeAll(async () => {
    tenants = await startTwoTenants(kind);
  });
  afterAll(() => tenants.stop());

  test('are not visible to each other and do not share names', async () => {
    const { one, other } = tenants;
    const theirs = await other.byOwner.policies.createPolicy({ body: rateLimitPolicy });
    const ours = await one.byOwner.policies.createPolicy({ body: rateLimitPolicy });
    const { policies } = one.byKey;
    const params = { id: theirs.id };
    for (const attempt of [
      () => policies.getPolicy({ params }),
      () => policies.updatePolicy({ params, body: { enabled: false } }),
      () => policies.replacePolicy({ params, body: rateLimitPolicy }),
      () => policies.deletePolicy({ params, query: {} }),
      () => policies.listPolicyVersions({ params, query: {} }),
      () => policies.getPolicyVersion({ params: { ...params, version: '1' } }),
      () => policies.restorePolicyVersion({ params: { ...params, version: '1' }, body: {} }),
      () => policies.simulatePolicy({ body: { policy_id: theirs.id } }),
    ])
      await expect(attempt()).rejects.toMatchObject({ status: 404, code: 'not_found' });
    expect((await policies.listPolicies({ query: {} })).results).toMatchObject([ours]);
    expect(await other.byKey.policies.getPolicy({ params })).toEqual(theirs);
  });

  test('changes are in the audit log with their author and the policy before and after', async () => {
    const { byOwner, byKey } = tenants.one;
    const body = { ...rateLimitPolicy, name: 'Audited' };
    const policy = await byOwner.policies.createPolicy({ body });
    const params = { id: policy.id };
    const after = await byKey.policies.updatePolicy({ params, body: { priority: 7, note: 'why' } });
    await byOwner.policies.deletePolicy({ params, query: {} });
    const entries = await tenants.storage.db
      .selectFrom('audit_entries')
      .select(['actor_type', 'action', 'resource_type', 'metadata'])
      .where('resource_id', '=', policy.id)
      .orderBy('sequence')
      .execute();
    const resource_type = 'policy';
    expect(
      entries.map((entry) => ({ ...entry, metadata: JSON.parse(entry.metadata) as unknown })),
    ).toEqual([
      {
        actor_type: 'user',
        action: 'policy.create',
        resource_type,
        metadata: { version: 1, after: policy },
      },
      {
        actor_type: 'agent',
        action: 'policy.update',
        resource_type,
        metadata: { version: 2, note: 'why', before: policy, after },
      },
      {
        actor_type: 'user',
        action: 'policy.delete',
        resource_type,
        metadata: { version: 3, before: after },
      },
    ]);
  });

  test('a policy is deleted with its counters', async () => {
    const { policies } = tenants.one.byOwner;
    const { id } = await policies.createPolicy({ body: { ...rateLimitPolicy, name: 'Counted' } });
    const { db } = tenants.storage;
    const tenant = await db
      .selectFrom('policies')
      .select('tenant_id')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const pair = { ...tenant, subject: '["forgotten","default"]' };
    const states = JSON.stringify({ [id]: { counts: {} }, pol_other: { counts: { a: 1 } } });
    await db
      .insertInto('policy_states')
      .values({ ...pair, states, updated_at: 0 })
      .execute();
    await policies.deletePolicy({ params: { id }, query: {} });
    const left = await db
      .selectFrom('policy_states')
      .selectAll()
      .where('tenant_id', '=', tenant.tenant_id)
      .where('subject', '=', pair.subject)
      .executeTakeFirstOrThrow();
    expect(JSON.parse(left.states)).toEqual({ pol_other: { counts: { a: 1 } } });
  });

  test('state that a check writes for a deleted policy is removed by the next check', async () => {
    const { policies, evaluations } = tenants.other.byKey;
    const agents = ['writes-back'];
    const make = (name: string) =>
      policies.createPolicy({ body: { ...rateLimitPolicy, name, scope: { agents } } });
    const [gone, stays] = [await make('Goes'), await make('Stays')];
    await policies.deletePolicy({ params: { id: gone.id }, query: {} });
    const { db } = tenants.storage;
    const subject = JSON.stringify(['writes-back', 'default']);
    const stored = () => db.selectFrom('policy_states').selectAll().where('subject', '=', subject);
    const check = () => evaluations.checkPolicy({ body: { agent_name: 'writes-back' } });
    await check();
    const { states } = await stored().executeTakeFirstOrThrow();
    const late = { ...(JSON.parse(states) as object), [gone.id]: { taken: [], counts: {} } };
    await db
      .updateTable('policy_states')
      .set('states', JSON.stringify(late))
      .where('subject', '=', subject)
      .execute();
    tenants.setTime(Date.parse('2035-01-01T00:00:00Z'));
    expect(await check()).toMatchObject({ action: 'allow' });
    tenants.setTime(undefined);
    const since = await stored().executeTakeFirstOrThrow();
    const ids = Object.keys(JSON.parse(since.states));
    expect([ids.includes(stays.id), ids.includes(gone.id)]).toEqual([true, false]);
  });
});
