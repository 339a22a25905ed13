import { describe, expect, test } from 'vitest';
import type { TestClient } from '../support/control-plane.ts';
import { databases } from '../support/databases.ts';
import { errorMatching, setUpSubTenants } from '../support/sub-tenants.ts';

const PASSWORD = 'a long enough pass phrase';

describe.each(databases)('sub-tenants on %s', (kind) => {
  const world = setUpSubTenants(kind);
  const { createSubTenant, createSubTenantWithClient, sendRequest } = world;

  test('a sub-tenant is created with all given fields, listed, shown and found', async () => {
    const body = {
      name: ' Müller & Söhne ',
      external_id: 'crm-1',
      contact_email: 'it@mueller.example',
      quotas: { max_agents: 5, max_agent_runs_per_day: 100 },
    };
    const { api_key, ...created } = await createSubTenant(body);
    expect(api_key).toMatch(/^svc_sk_[0-9a-f]{64}$/);
    expect(created).toEqual({
      id: expect.stringMatching(/^st_/) as string,
      parent_id: expect.stringMatching(/^tnt_/) as string,
      name: 'Müller & Söhne',
      slug: 'muller-sohne',
      status: 'active',
      external_id: 'crm-1',
      contact_email: 'it@mueller.example',
      quotas: { max_agents: 5, max_tokens_per_day: null, max_agent_runs_per_day: 100 },
      suspend_reason: null,
      suspended_at: null,
      created_at: expect.stringMatching(/Z$/) as string,
      updated_at: created.created_at,
    });
    const params = { sub_tenant_id: created.id };
    expect(await world.service.byKey.subTenants.getSubTenant({ params })).toEqual({
      ...created,
      limits: created.quotas,
      usage: { agents: 0, tokens_today: 0, runs_today: 0 },
    });
    const { id, name, slug, status, external_id, parent_id, created_at } = created;
    const item = { id, name, slug, status, external_id, parent_id, created_at };
    const list = (query: Parameters<TestClient['subTenants']['listSubTenants']>[0]) =>
      world.service.byOwner.subTenants.listSubTenants(query);
    expect((await list({ query: {} })).sub_tenants).toContainEqual(item);
    expect((await list({ query: { external_id: 'crm-1' } })).sub_tenants).toEqual([item]);
    expect((await list({ query: { status: 'suspended' } })).sub_tenants).toEqual([]);
  });

  test('the key of a sub-tenant has full access to it and none to others', async () => {
    const one = await createSubTenantWithClient({ name: 'Inside' });
    const sibling = await createSubTenantWithClient({ name: 'Sibling' });
    const { run_id } = await one.byKey.recording.startRun({ body: { agent_name: 'a' } });
    const params = { run_id };
    await expect(sibling.byKey.recording.completeRun({ params, body: {} })).rejects.toMatchObject(
      errorMatching(404),
    );
    await one.byKey.recording.completeRun({ params, body: {} });
    const profile = await one.byKey.deployment.getMdmProfile({ query: {} });
    expect(profile).not.toBe(await sibling.byKey.deployment.getMdmProfile({ query: {} }));
    const user = { email: `admin@${kind}.inside.example`, role: 'admin' as const };
    await one.byKey.identity.createUser({
      body: { ...user, password: PASSWORD, must_change_password: false },
    });
    const { token } = await world.service.by({}).identity.login({
      body: { email: user.email, password: PASSWORD },
    });
    const byUser = world.service.by({ Authorization: `Bearer ${token}` });
    expect((await byUser.runs.listRuns({ query: {} })).count).toBe(1);
    expect((await byUser.identity.me()).tenant).toEqual({ id: one.id, name: 'Inside' });
  });

  test('parent tenants can access their descendants; no other tenant can', async () => {
    const parent = await createSubTenantWithClient({ name: 'Parent' });
    const child = await createSubTenantWithClient({ name: 'Child' }, parent.byKey);
    const grandchild = await createSubTenantWithClient({ name: 'Grandchild' }, child.byKey);
    const stranger = await createSubTenantWithClient({ name: 'Stranger' });
    const reach = (by: TestClient, { params }: { params: { sub_tenant_id: string } }) =>
      Promise.all([
        by.subTenants.getSubTenant({ params }),
        by.subTenants.listSubTenants({ query: { parent_id: params.sub_tenant_id } }),
      ]).then(
        ([{ name }]) => name,
        ({ status }: { status: number }) => status,
      );
    const root = world.service.byKey;
    expect([
      await reach(root, grandchild),
      await reach(parent.byKey, grandchild),
      await reach(child.byKey, grandchild),
      await reach(grandchild.byKey, child),
      await reach(stranger.byKey, grandchild),
      await reach(parent.byKey, stranger),
    ]).toEqual(['Grandchild', 'Grandchild', 'Grandchild', 404, 404, 404]);
    const below = await root.subTenants.listSubTenants({ query: { parent_id: child.id } });
    expect(below.sub_tenants.map(({ id }) => id)).toEqual([grandchild.id]);
    for (const change of [
      (by: TestClient) =>
        by.subTenants.updateSubTenant({ params: child.params, body: { name: 'Mine' } }),
      (by: TestClient) => by.subTenants.suspendSubTenant({ params: child.params, body: {} }),
      (by: TestClient) => by.subTenants.resumeSubTenant({ params: child.params }),
    ])
      for (const by of [stranger.byKey, grandchild.byKey, child.byKey])
        await expect(change(by)).rejects.toMatchObject(
          errorMatching(404, /^there is no sub-tenant "st_/),
        );
  });

  test('sub-tenants can be nested five levels deep', async () => {
    let by = world.service.byKey;
    for (const name of ['1', '2', '3', '4', '5'])
      ({ byKey: by } = await createSubTenantWithClient({ name }, by));
    await expect(createSubTenantWithClient({ name: '6' }, by)).rejects.toMatchObject(
      errorMatching(409, /^sub-tenants can be nested at most 5 deep$/),
    );
  });

  test('a slug is unique among siblings, also with concurrent requests', async () => {
    const parent = await createSubTenantWithClient({ name: 'Slugs' });
    const same = await Promise.all(
      Array.from({ length: 5 }, () => createSubTenant({ name: 'Same name!' }, parent.byKey)),
    );
    expect(same.map(({ slug }) => slug).sort()).toEqual(
      ['same-name', ...[2, 3, 4, 5].map((n) => `same-name-${n}`)].sort(),
    );
    expect((await createSubTenant({ name: '日本' }, parent.byKey)).slug).toBe('tenant');
  });

  test('an external id is unique among siblings, also with concurrent requests', async () => {
    const parent = await createSubTenantWithClient({ name: 'External' });
    const create = (by: TestClient) =>
      createSubTenant({ name: 'n', external_id: 'x' }, by).then(
        () => 201,
        ({ status }: { status: number }) => status,
      );
    const statuses = await Promise.all([1, 2, 3].map(() => create(parent.byKey)));
    expect(statuses.toSorted((a, b) => a - b)).toEqual([201, 409, 409]);
    const other = await createSubTenantWithClient({ name: 'n', external_id: 'y' }, parent.byKey);
    const change = (external_id: string) =>
      parent.byKey.subTenants.updateSubTenant({ params: other.params, body: { external_id } });
    await expect(change('x')).rejects.toMatchObject(errorMatching(409, /external_id "x"/));
    expect((await change('y')).external_id).toBe('y');
    const elsewhere = await createSubTenantWithClient({ name: 'Elsewhere' });
    expect(await create(elsewhere.byKey)).toBe(201);
  });

  test('a change keeps omitted fields', async () => {
    const quotas = { max_agents: 3, max_tokens_per_day: 1000, max_agent_runs_per_day: 10 };
    const one = await createSubTenantWithClient({
      name: 'Before',
      contact_email: 'a@b.example',
      quotas,
    });
    const update = (body: object) =>
      world.service.byKey.subTenants.updateSubTenant({ params: one.params, body });
    await update({ quotas: { max_agents: 4 } });
    expect(await update({ name: 'After', quotas: { max_tokens_per_day: null } })).toMatchObject({
      name: 'After',
      slug: 'before',
      contact_email: 'a@b.example',
      quotas: { max_agents: 4, max_tokens_per_day: null, max_agent_runs_per_day: 10 },
    });
    expect((await update({ contact_email: null })).contact_email).toBeNull();
  });

  test.each<[string, object, RegExp]>([
    ['no name', {}, /^name: /],
    ['an empty name', { name: '  ' }, /^name: /],
    ['a name that is no text', { name: 7 }, /^name: /],
    ['an address that is none', { name: 'n', contact_email: 'nobody' }, /^contact_email: /],
    ['a quota below nothing', { name: 'n', quotas: { max_agents: -1 } }, /^quotas\.max_agents: /],
    [
      'half a token',
      { name: 'n', quotas: { max_tokens_per_day: 0.5 } },
      /^quotas\.max_tokens_per_day: /,
    ],
    [
      'a quota as text',
      { name: 'n', quotas: { max_agent_runs_per_day: '9' } },
      /^quotas\.max_agent_runs_per_day: /,
    ],
    ['an unknown quota', { name: 'n', quotas: { max_devices: 1 } }, /^quotas: .*max_devices/],
    ['an unknown field', { name: 'n', colour: 'red' }, /colour/],
    ['an empty external id', { name: 'n', external_id: '' }, /^external_id: /],
  ])('%s is rejected by name', async (_, body, message) => {
    const answer = await sendRequest('POST', 'sub-tenants/', body);
    expect([answer.status, await answer.json()]).toEqual([
      400,
      {
        error: {
          code: 'validation_error',
          message: expect.stringMatching(message) as string,
          details: { reason: 'validation_error' },
        },
      },
    ]);
  });

  test('an empty change is rejected', async () => {
    const one = await createSubTenantWithClient({ name: 'Still' });
    await expect(
      world.service.byKey.subTenants.updateSubTenant({ params: one.params, body: {} }),
    ).rejects.toMatchObject(errorMatching(400, /at least one field/));
  });
});
