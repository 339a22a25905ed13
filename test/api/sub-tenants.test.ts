import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RouteRequest } from '#contract/route.ts';
import type { Quotas, subTenantRoutes } from '#contract/sub-tenants.ts';
import {
  API_KEY,
  startTestControlPlane,
  type TestClient,
  type TestControlPlane,
} from '../support/control-plane.ts';
import { databases, newDatabase } from '../support/databases.ts';
import { eventually } from '../support/processes.ts';

type Wanted = RouteRequest<(typeof subTenantRoutes)['createSubTenant']>['body'];

const PASSWORD = 'a long enough pass phrase';
const none: Quotas = { max_agents: null, max_tokens_per_day: null, max_agent_runs_per_day: null };

const refused = (status: number, message: RegExp | string = /./) => ({
  status,
  message: expect.stringMatching(message) as string,
});

describe.each(databases)('sub-tenants on %s', (kind) => {
  let service: TestControlPlane;
  beforeAll(async () => {
    service = await startTestControlPlane(kind, { DEVICE_URL: 'https://*.devices.example' });
  });
  afterAll(() => service.stop());

  const createSubTenant = (body: Wanted, by: TestClient = service.byKey) =>
    by.subTenants.createSubTenant({ body });
  const withKey = (key: string) => service.by({ 'X-Svc-Key': key });
  /** A sub-tenant and a client with its key. */
  const make = async (body: Wanted, by?: TestClient) => {
    const { api_key, ...tenant } = await createSubTenant(body, by);
    return { ...tenant, params: { sub_tenant_id: tenant.id }, byKey: withKey(api_key) };
  };
  const ask = (method: string, path: string, body?: unknown) =>
    fetch(`${service.urls.public}/svc/v1/${path}`, {
      method,
      headers: { 'X-Svc-Key': API_KEY },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });

  test('one is created with all given fields, and listed, shown and found again', async () => {
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
    expect(await service.byKey.subTenants.getSubTenant({ params })).toEqual({
      ...created,
      limits: created.quotas,
      usage: { agents: 0, tokens_today: 0, runs_today: 0 },
    });
    const { id, name, slug, status, external_id, parent_id, created_at } = created;
    const item = { id, name, slug, status, external_id, parent_id, created_at };
    const list = (query: Parameters<TestClient['subTenants']['listSubTenants']>[0]) =>
      service.byOwner.subTenants.listSubTenants(query);
    expect((await list({ query: {} })).sub_tenants).toContainEqual(item);
    expect((await list({ query: { external_id: 'crm-1' } })).sub_tenants).toEqual([item]);
    expect((await list({ query: { status: 'suspended' } })).sub_tenants).toEqual([]);
  });

  test('its key works inside, for everything, and sees nothing of others', async () => {
    const one = await make({ name: 'Inside' });
    const sibling = await make({ name: 'Sibling' });
    const { run_id } = await one.byKey.recording.startRun({ body: { agent_name: 'a' } });
    const params = { run_id };
    await expect(sibling.byKey.recording.completeRun({ params, body: {} })).rejects.toMatchObject(
      refused(404),
    );
    await one.byKey.recording.completeRun({ params, body: {} });
    const profile = await one.byKey.deployment.getMdmProfile({ query: {} });
    expect(profile).not.toBe(await sibling.byKey.deployment.getMdmProfile({ query: {} }));
    const user = { email: `admin@${kind}.inside.example`, role: 'admin' as const };
    await one.byKey.identity.createUser({
      body: { ...user, password: PASSWORD, must_change_password: false },
    });
    const { token } = await service.by({}).identity.login({
      body: { email: user.email, password: PASSWORD },
    });
    const byUser = service.by({ Authorization: `Bearer ${token}` });
    expect((await byUser.runs.listRuns({ query: {} })).count).toBe(1);
    expect((await byUser.identity.me()).tenant).toEqual({ id: one.id, name: 'Inside' });
  });

  test('parent tenants reach those below, to any depth; no other tenant does', async () => {
    const parent = await make({ name: 'Parent' });
    const child = await make({ name: 'Child' }, parent.byKey);
    const grandchild = await make({ name: 'Grandchild' }, child.byKey);
    const stranger = await make({ name: 'Stranger' });
    const reach = (by: TestClient, { params }: { params: { sub_tenant_id: string } }) =>
      Promise.all([
        by.subTenants.getSubTenant({ params }),
        by.subTenants.listSubTenants({ query: { parent_id: params.sub_tenant_id } }),
      ]).then(
        ([{ name }]) => name,
        ({ status }: { status: number }) => status,
      );
    const root = service.byKey;
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
          refused(404, /^there is no sub-tenant "st_/),
        );
  });

  test('they nest five deep', async () => {
    let by = service.byKey;
    for (const name of ['1', '2', '3', '4', '5']) ({ byKey: by } = await make({ name }, by));
    await expect(make({ name: '6' }, by)).rejects.toMatchObject(
      refused(409, /^sub-tenants can be nested at most 5 deep$/),
    );
  });

  test('a slug is unique among siblings, also of those that are created at once', async () => {
    const parent = await make({ name: 'Slugs' });
    const same = await Promise.all(
      Array.from({ length: 5 }, () => createSubTenant({ name: 'Same name!' }, parent.byKey)),
    );
    expect(same.map(({ slug }) => slug).sort()).toEqual(
      ['same-name', ...[2, 3, 4, 5].map((n) => `same-name-${n}`)].sort(),
    );
    expect((await createSubTenant({ name: '日本' }, parent.byKey)).slug).toBe('tenant');
  });

  test('an external id is unique among siblings, also of those created at once', async () => {
    const parent = await make({ name: 'External' });
    const create = (by: TestClient) =>
      createSubTenant({ name: 'n', external_id: 'x' }, by).then(
        () => 201,
        ({ status }: { status: number }) => status,
      );
    const statuses = await Promise.all([1, 2, 3].map(() => create(parent.byKey)));
    expect(statuses.toSorted((a, b) => a - b)).toEqual([201, 409, 409]);
    const other = await make({ name: 'n', external_id: 'y' }, parent.byKey);
    const change = (external_id: string) =>
      parent.byKey.subTenants.updateSubTenant({ params: other.params, body: { external_id } });
    await expect(change('x')).rejects.toMatchObject(refused(409, /external_id "x"/));
    expect((await change('y')).external_id).toBe('y');
    const elsewhere = await make({ name: 'Elsewhere' });
    expect(await create(elsewhere.byKey)).toBe(201);
  });

  test('a change leaves what it does not name as it is', async () => {
    const quotas = { max_agents: 3, max_tokens_per_day: 1000, max_agent_runs_per_day: 10 };
    const one = await make({ name: 'Before', contact_email: 'a@b.example', quotas });
    const update = (body: object) =>
      service.byKey.subTenants.updateSubTenant({ params: one.params, body });
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
  ])('%s is refused by name', async (_, body, message) => {
    const answer = await ask('POST', 'sub-tenants/', body);
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

  test('a change of nothing is refused', async () => {
    const one = await make({ name: 'Still' });
    await expect(
      service.byKey.subTenants.updateSubTenant({ params: one.params, body: {} }),
    ).rejects.toMatchObject(refused(400, /at least one field/));
  });

  describe('quotas are bounded by what is above', () => {
    const family = async () => {
      const parent = await make({ name: 'Bounded', quotas: { max_agents: 10 } });
      const middle = await make({ name: 'Middle' }, parent.byKey);
      const child = await make({ name: 'Child', quotas: { max_agents: 8 } }, middle.byKey);
      return { parent, middle, child };
    };
    const errorOf = async (answer: Response) =>
      [answer.status, ((await answer.json()) as { error: unknown }).error] as const;
    const exceeded = (details: object) => [
      403,
      {
        code: 'quota_exceeded',
        message: expect.stringMatching(/^quotas\.max_agents: /) as string,
        details: { reason: 'quota_exceeded', field: 'max_agents', ...details },
      },
    ];

    test('more than the parent may, directly or through one that sets nothing', async () => {
      const { parent, middle, child } = await family();
      const quotas = { max_agents: 11 };
      for (const by of [parent, middle])
        await expect(make({ name: 'More', quotas }, by.byKey)).rejects.toMatchObject({
          ...refused(403, /^quotas\.max_agents: 11 is more than the parent's limit of 10$/),
          code: 'quota_exceeded',
        });
      expect(await errorOf(await ask('PATCH', `sub-tenants/${child.id}/`, { quotas }))).toEqual(
        exceeded({ requested: 11, parent_limit: 10 }),
      );
      expect(
        (await make({ name: 'All', quotas: { max_agents: 10 } }, middle.byKey)).quotas,
      ).toEqual({ ...none, max_agents: 10 });
    });

    test('less than what one below has, to any depth', async () => {
      const { parent, child } = await family();
      const lower = (max_agents: number) =>
        ask('PATCH', `sub-tenants/${parent.id}/`, { quotas: { max_agents } });
      expect(await errorOf(await lower(7))).toEqual([
        403,
        {
          code: 'quota_exceeded',
          message: `quotas.max_agents: 7 is less than the 8 of the sub-tenant ${child.id}`,
          details: {
            reason: 'quota_exceeded',
            field: 'max_agents',
            requested: 7,
            parent_limit: 7,
            sub_tenant_id: child.id,
            sub_tenant_quota: 8,
          },
        },
      ]);
      expect((await lower(8)).status).toBe(200);
      const { limits } = await service.byKey.subTenants.getSubTenant({ params: child.params });
      expect(limits).toEqual({ ...none, max_agents: 8 });
    });

    test('raising a child while its parent is lowered never leaves it above', async () => {
      const { parent, child } = await family();
      await Promise.allSettled([
        ask('PATCH', `sub-tenants/${parent.id}/`, { quotas: { max_agents: 8 } }),
        ask('PATCH', `sub-tenants/${child.id}/`, { quotas: { max_agents: 10 } }),
      ]);
      const read = async ({ params }: { params: { sub_tenant_id: string } }) =>
        (await service.byKey.subTenants.getSubTenant({ params })).quotas.max_agents ?? Infinity;
      expect(await read(child)).toBeLessThanOrEqual(await read(parent));
    });
  });

  describe('suspended', () => {
    test('it and all below it get no service at once, by key and by session; resuming ends that', async () => {
      const parent = await make({ name: 'Late payer' });
      const child = await make({ name: 'Below' }, parent.byKey);
      const user = { email: `admin@${kind}.below.example`, password: PASSWORD };
      await child.byKey.identity.createUser({
        body: { ...user, role: 'admin', must_change_password: false },
      });
      const { token } = await service.by({}).identity.login({ body: user });
      const tries = [
        () => parent.byKey.recording.startRun({ body: { agent_name: 'a' } }),
        () => child.byKey.recording.startRun({ body: { agent_name: 'a' } }),
        () => child.byKey.subTenants.listSubTenants({ query: {} }),
        () => service.by({ Authorization: `Bearer ${token}` }).runs.listRuns({ query: {} }),
      ];
      for (const attempt of tries) await attempt();
      const { params } = parent;
      const suspended = await service.byKey.subTenants.suspendSubTenant({
        params,
        body: { reason: 'unpaid' },
      });
      expect(suspended).toMatchObject({ status: 'suspended', suspend_reason: 'unpaid' });
      expect(suspended.suspended_at).toBe(suspended.updated_at);
      for (const attempt of tries)
        await expect(attempt()).rejects.toMatchObject(refused(403, /^this tenant is suspended$/));
      const list = await service.byKey.subTenants.listSubTenants({
        query: { status: 'suspended' },
      });
      expect(list.sub_tenants.map(({ id }) => id)).toEqual([parent.id]);
      expect(await service.byKey.subTenants.resumeSubTenant({ params })).toMatchObject({
        status: 'active',
        suspend_reason: null,
        suspended_at: null,
      });
      for (const attempt of tries) await attempt();
    });

    test('twice, or resumed while active, is a conflict', async () => {
      const { params } = await make({ name: 'Twice' });
      const { suspendSubTenant, resumeSubTenant } = service.byKey.subTenants;
      await expect(resumeSubTenant({ params })).rejects.toMatchObject(
        refused(409, /already active/),
      );
      await suspendSubTenant({ params, body: {} });
      await expect(suspendSubTenant({ params, body: {} })).rejects.toMatchObject(
        refused(409, /already suspended/),
      );
    });

    test('one that stays suspended itself is not resumed with its parent', async () => {
      const parent = await make({ name: 'Parent' });
      const child = await make({ name: 'Child' }, parent.byKey);
      const { suspendSubTenant, resumeSubTenant } = service.byKey.subTenants;
      await suspendSubTenant({ params: child.params, body: {} });
      await suspendSubTenant({ params: parent.params, body: {} });
      await resumeSubTenant({ params: parent.params });
      await parent.byKey.subTenants.listSubTenants({ query: {} });
      await expect(child.byKey.subTenants.listSubTenants({ query: {} })).rejects.toMatchObject(
        refused(403),
      );
    });
  });

  test('a key without the admin permission, and a request without a key, are refused', async () => {
    const { key } = await service.byOwner.identity.createApiKey({
      body: { name: 'recorder', permissions: ['record'] },
    });
    await expect(withKey(key).subTenants.listSubTenants({ query: {} })).rejects.toMatchObject(
      refused(403, /"admin"/),
    );
    const answer = await fetch(`${service.urls.public}/svc/v1/sub-tenants/`);
    expect([answer.status, await answer.json()]).toMatchObject([
      401,
      { error: { code: 'unauthorized' } },
    ]);
  });
});

test('a tenant that one process on PostgreSQL suspends is suspended in the others', async () => {
  const database = await newDatabase('postgres');
  const env = {
    DATABASE_URL: database.databaseUrl ?? '',
    SECRET_KEY: 'the same secret key for all processes of one installation',
  };
  const one = await startTestControlPlane('postgres', env);
  const other = await startTestControlPlane('postgres', env);
  try {
    const { id, api_key } = await one.byKey.subTenants.createSubTenant({ body: { name: 'n' } });
    const params = { sub_tenant_id: id };
    const statusAtOther = () =>
      other
        .by({ 'X-Svc-Key': api_key })
        .subTenants.listSubTenants({ query: {} })
        .then(
          () => 200,
          ({ status }: { status: number }) => status,
        );
    expect(await statusAtOther()).toBe(200);
    await one.byKey.subTenants.suspendSubTenant({ params, body: { reason: 'test' } });
    expect(await eventually(statusAtOther, (status) => status === 403)).toBe(403);
    await one.byKey.subTenants.resumeSubTenant({ params });
    expect(await eventually(statusAtOther, (status) => status === 200)).toBe(200);
  } finally {
    await other.stop();
    await one.stop();
    await database.remove();
  }
});
