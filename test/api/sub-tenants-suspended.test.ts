import { describe, expect, test } from 'vitest';
import type { Quotas } from '#contract/sub-tenants.ts';
import { startTestControlPlane } from '../support/control-plane.ts';
import { databases, newDatabase } from '../support/databases.ts';
import { eventually } from '../support/processes.ts';
import { refused, setUpSubTenants } from '../support/sub-tenants.ts';

const PASSWORD = 'a long enough pass phrase';
const none: Quotas = { max_agents: null, max_tokens_per_day: null, max_agent_runs_per_day: null };

describe.each(databases)('sub-tenants on %s', (kind) => {
  const world = setUpSubTenants(kind);
  const { withKey, make, ask } = world;

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
      const { limits } = await world.service.byKey.subTenants.getSubTenant({
        params: child.params,
      });
      expect(limits).toEqual({ ...none, max_agents: 8 });
    });

    test('raising a child while its parent is lowered never leaves it above', async () => {
      const { parent, child } = await family();
      await Promise.allSettled([
        ask('PATCH', `sub-tenants/${parent.id}/`, { quotas: { max_agents: 8 } }),
        ask('PATCH', `sub-tenants/${child.id}/`, { quotas: { max_agents: 10 } }),
      ]);
      const read = async ({ params }: { params: { sub_tenant_id: string } }) =>
        (await world.service.byKey.subTenants.getSubTenant({ params })).quotas.max_agents ??
        Infinity;
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
      const { token } = await world.service.by({}).identity.login({ body: user });
      const tries = [
        () => parent.byKey.recording.startRun({ body: { agent_name: 'a' } }),
        () => child.byKey.recording.startRun({ body: { agent_name: 'a' } }),
        () => child.byKey.subTenants.listSubTenants({ query: {} }),
        () => world.service.by({ Authorization: `Bearer ${token}` }).runs.listRuns({ query: {} }),
      ];
      for (const attempt of tries) await attempt();
      const { params } = parent;
      const suspended = await world.service.byKey.subTenants.suspendSubTenant({
        params,
        body: { reason: 'unpaid' },
      });
      expect(suspended).toMatchObject({ status: 'suspended', suspend_reason: 'unpaid' });
      expect(suspended.suspended_at).toBe(suspended.updated_at);
      for (const attempt of tries)
        await expect(attempt()).rejects.toMatchObject(refused(403, /^this tenant is suspended$/));
      const list = await world.service.byKey.subTenants.listSubTenants({
        query: { status: 'suspended' },
      });
      expect(list.sub_tenants.map(({ id }) => id)).toEqual([parent.id]);
      expect(await world.service.byKey.subTenants.resumeSubTenant({ params })).toMatchObject({
        status: 'active',
        suspend_reason: null,
        suspended_at: null,
      });
      for (const attempt of tries) await attempt();
    });

    test('twice, or resumed while active, is a conflict', async () => {
      const { params } = await make({ name: 'Twice' });
      const { suspendSubTenant, resumeSubTenant } = world.service.byKey.subTenants;
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
      const { suspendSubTenant, resumeSubTenant } = world.service.byKey.subTenants;
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
    const { key } = await world.service.byOwner.identity.createApiKey({
      body: { name: 'recorder', permissions: ['record'] },
    });
    await expect(withKey(key).subTenants.listSubTenants({ query: {} })).rejects.toMatchObject(
      refused(403, /"admin"/),
    );
    const answer = await fetch(`${world.service.urls.public}/svc/v1/sub-tenants/`);
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
