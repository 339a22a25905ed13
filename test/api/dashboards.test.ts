import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClient } from '#contract/client.ts';
import { contract } from '#contract/index.ts';
import type { Role } from '#contract/route.ts';
import type { TestClient } from '../support/control-plane.ts';
import { databases } from '../support/databases.ts';
import { startTwoTenants, type TwoTenants } from '../support/two-tenants.ts';

const PASSWORD = 'a long enough pass phrase';
const cost = {
  title: 'Cost by agent',
  chart: 'bar',
  width: 'half',
  query: { measure: 'cost', group_by: 'agent', interval: 'none', filters: {}, top: 5 },
} as const;

describe.each(databases)('dashboards on %s', (kind) => {
  let service: TwoTenants;
  const users: Partial<Record<Role, TestClient>> = {};

  beforeAll(async () => {
    service = await startTwoTenants(kind);
    for (const role of ['viewer', 'analyst', 'admin'] as const) {
      const user = { email: `${role}@example.test`, password: PASSWORD };
      await service.one.byOwner.identity.createUser({
        body: { ...user, role, must_change_password: false },
      });
      const by = (headers: Record<string, string>) =>
        createClient(contract, { baseUrl: service.urls.public, headers: () => headers });
      const { token } = await by({}).identity.login({ body: user });
      users[role] = by({ Authorization: `Bearer ${token}` });
    }
  });
  afterAll(() => service.stop());

  const by = (role: Role) => (users[role] ?? service.one.byOwner).dashboards;
  const names = async (role: Role) =>
    (await by(role).listDashboards()).results
      .filter(({ built_in }) => !built_in)
      .map(({ name }) => name);

  test('a dashboard is stored as saved, for its owner only', async () => {
    const made = await by('viewer').createDashboard({ body: { name: ' Mine ', widgets: [cost] } });
    expect(made).toMatchObject({
      name: 'Mine',
      widgets: [cost],
      widget_count: 1,
      is_shared: false,
      built_in: false,
      owner: 'viewer@example.test',
      may_change: true,
    });
    const params = { dashboard_id: made.id };
    expect(await by('viewer').getDashboard({ params })).toEqual(made);
    expect(await names('admin')).toEqual([]);
    await expect(by('admin').getDashboard({ params })).rejects.toMatchObject({ status: 404 });
    await by('viewer').deleteDashboard({ params });
    expect(await names('viewer')).toEqual([]);
  });

  test('analysts share dashboards, administrators change shared ones, viewers do neither', async () => {
    await expect(
      by('viewer').createDashboard({ body: { name: 'x', is_shared: true } }),
    ).rejects.toMatchObject({ status: 403 });
    const { id } = await by('analyst').createDashboard({ body: { name: 'Team', is_shared: true } });
    const params = { dashboard_id: id };
    expect(await names('viewer')).toEqual(['Team']);
    await expect(
      by('viewer').updateDashboard({ params, body: { name: 'Other' } }),
    ).rejects.toMatchObject({ status: 403 });
    const changed = await by('admin').updateDashboard({ params, body: { widgets: [cost, cost] } });
    expect(changed.widget_count).toBe(2);
    const { results } = await service.other.byOwner.dashboards.listDashboards();
    expect(results.every(({ built_in }) => built_in)).toBe(true);
  });

  test('a change based on an outdated version is rejected', async () => {
    const { id, updated_at } = await by('viewer').createDashboard({ body: { name: 'Two tabs' } });
    const params = { dashboard_id: id };
    const body = { updated_at: updated_at ?? '' };
    const { updated_at: later } = await by('viewer').updateDashboard({
      params,
      body: { ...body, name: 'First' },
    });
    await expect(
      by('viewer').updateDashboard({ params, body: { ...body, name: 'Second' } }),
    ).rejects.toMatchObject({ status: 409 });
    await by('viewer').updateDashboard({
      params,
      body: { updated_at: later ?? '', name: 'Third' },
    });
    expect(await names('viewer')).toContain('Third');
  });

  test('the built-in dashboard can be read and duplicated but not changed, and every widget has an answer', async () => {
    const params = { dashboard_id: 'overview' };
    const { widgets, ...overview } = await by('viewer').getDashboard({ params });
    expect(overview).toMatchObject({ built_in: true, may_change: false, owner: null });
    for (const { query } of widgets)
      expect((await users.viewer?.analytics.queryAnalytics({ body: query }))?.measure).toBe(
        query.measure,
      );
    const copy = await by('viewer').createDashboard({ body: { name: 'Copy', widgets } });
    expect(copy.widgets).toEqual(widgets);
    const refused = { status: 403 };
    await expect(by('admin').deleteDashboard({ params })).rejects.toMatchObject(refused);
    await expect(
      by('admin').updateDashboard({ params, body: { name: 'x' } }),
    ).rejects.toMatchObject(refused);
  });

  test('a widget whose grouping does not fit its measure is rejected', async () => {
    const wrong = {
      ...cost,
      query: { ...cost.query, measure: 'runs', group_by: 'model' },
    } as const;
    await expect(
      by('viewer').createDashboard({ body: { name: 'x', widgets: [wrong] } }),
    ).rejects.toMatchObject({ status: 400 });
  });

  test('private dashboards of a deleted user are deleted, shared ones are kept', async () => {
    const user = { email: 'leaver@example.test', password: PASSWORD };
    const { id } = await service.one.byOwner.identity.createUser({
      body: { ...user, role: 'analyst', must_change_password: false },
    });
    const { token } = await service.one.byOwner.identity.login({ body: user });
    const leaver = createClient(contract, {
      baseUrl: service.urls.public,
      headers: () => ({ Authorization: `Bearer ${token}` }),
    });
    for (const is_shared of [true, false])
      await leaver.dashboards.createDashboard({ body: { name: `left ${is_shared}`, is_shared } });
    await service.one.byOwner.identity.deleteUser({ params: { id } });
    const stored = await service.storage.db.selectFrom('dashboards').select('name').execute();
    const left = stored.map(({ name }) => name).filter((name) => name.startsWith('left'));
    expect(left).toEqual(['left true']);
  });
});
