import { describe, expect, test } from 'vitest';
import { startTestControlPlane } from '../support/control-plane.ts';
import { databases, newDatabase } from '../support/databases.ts';
import { pollUntil } from '../support/processes.ts';
import { errorMatching, setUpSubTenants } from '../support/sub-tenants.ts';

const PASSWORD = 'a long enough pass phrase';

describe.each(databases)('sub-tenants on %s', (kind) => {
  const world = setUpSubTenants(kind);
  const { withKey, createSubTenantWithClient } = world;

  describe('suspension', () => {
    test('stops all service for a tenant and those below it, by key and by session, until it is resumed', async () => {
      const parent = await createSubTenantWithClient({ name: 'Late payer' });
      const child = await createSubTenantWithClient({ name: 'Below' }, parent.byKey);
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
        await expect(attempt()).rejects.toMatchObject(
          errorMatching(403, /^this tenant is suspended$/),
        );
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

    test('twice, or resuming an active tenant, is a conflict', async () => {
      const { params } = await createSubTenantWithClient({ name: 'Twice' });
      const { suspendSubTenant, resumeSubTenant } = world.service.byKey.subTenants;
      await expect(resumeSubTenant({ params })).rejects.toMatchObject(
        errorMatching(409, /already active/),
      );
      await suspendSubTenant({ params, body: {} });
      await expect(suspendSubTenant({ params, body: {} })).rejects.toMatchObject(
        errorMatching(409, /already suspended/),
      );
    });

    test('of a child remains when its parent is resumed', async () => {
      const parent = await createSubTenantWithClient({ name: 'Parent' });
      const child = await createSubTenantWithClient({ name: 'Child' }, parent.byKey);
      const { suspendSubTenant, resumeSubTenant } = world.service.byKey.subTenants;
      await suspendSubTenant({ params: child.params, body: {} });
      await suspendSubTenant({ params: parent.params, body: {} });
      await resumeSubTenant({ params: parent.params });
      await parent.byKey.subTenants.listSubTenants({ query: {} });
      await expect(child.byKey.subTenants.listSubTenants({ query: {} })).rejects.toMatchObject(
        errorMatching(403),
      );
    });
  });

  test('needs a key with the admin permission', async () => {
    const { key } = await world.service.byOwner.identity.createApiKey({
      body: { name: 'recorder', permissions: ['record'] },
    });
    await expect(withKey(key).subTenants.listSubTenants({ query: {} })).rejects.toMatchObject(
      errorMatching(403, /"admin"/),
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
    expect(await pollUntil(statusAtOther, (status) => status === 403)).toBe(403);
    await one.byKey.subTenants.resumeSubTenant({ params });
    expect(await pollUntil(statusAtOther, (status) => status === 200)).toBe(200);
  } finally {
    await other.stop();
    await one.stop();
    await database.remove();
  }
});
