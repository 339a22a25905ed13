import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { viewedLists } from '#contract/list-views.ts';
import type { Role } from '#contract/route.ts';
import type { TestClient } from '../support/control-plane.ts';
import { databases } from '../support/databases.ts';
import { startTwoTenants, type TwoTenants } from '../support/two-tenants.ts';
import { createClient } from '#contract/client.ts';
import { contract } from '#contract/index.ts';

const PASSWORD = 'a long enough pass phrase';

describe.each(databases)('saved views on %s', (kind) => {
  let service: TwoTenants;
  const users: Partial<Record<Role, TestClient>> = {};
  const ids: Partial<Record<Role, string>> = {};

  beforeAll(async () => {
    service = await startTwoTenants(kind);
    for (const role of ['viewer', 'analyst', 'admin'] as const) {
      const user = { email: `${role}@example.test`, password: PASSWORD };
      const { id } = await service.one.byOwner.identity.createUser({
        body: { ...user, role, must_change_password: false },
      });
      ids[role] = id;
      const by = (headers: Record<string, string>) =>
        createClient(contract, { baseUrl: service.urls.public, headers: () => headers });
      const { token } = await by({}).identity.login({ body: user });
      users[role] = by({ Authorization: `Bearer ${token}` });
    }
  });
  afterAll(() => service.stop());

  const by = (role: Role): TestClient => users[role] ?? service.one.byOwner;
  const save = (role: Role, name: string, more: object = {}) =>
    by(role).listViews.createView({ body: { list: 'runs', name, query: 'status=error', ...more } });
  const list = async (client: TestClient) =>
    (await client.listViews.listViews({ query: { list: 'runs' } })).results;
  const namesOf = async (role: Role) => (await list(by(role))).map(({ name }) => name);

  test.each(viewedLists)('views of %s are separate from those of other lists', async (name) => {
    const { createView, listViews, deleteView } = by('viewer').listViews;
    const { id } = await createView({ body: { list: name, name: 'own', query: 'sort=x' } });
    for (const other of viewedLists) {
      const { results } = await listViews({ query: { list: other } });
      expect(results.map((view) => view.id)).toEqual(other === name ? [id] : []);
    }
    await deleteView({ params: { view_id: id } });
  });

  test('a view is stored as saved, for its owner only', async () => {
    const view = await save('viewer', ' failing ', { columns: ['agent', 'cost'] });
    expect(view).toMatchObject({
      name: 'failing',
      list: 'runs',
      query: 'status=error',
      columns: ['agent', 'cost'],
      is_shared: false,
      is_default: false,
      owner: 'viewer@example.test',
      may_change: true,
    });
    expect(await list(by('viewer'))).toEqual([view]);
    expect(await namesOf('admin')).toEqual([]);
    const params = { view_id: view.id };
    await expect(by('admin').listViews.deleteView({ params })).rejects.toMatchObject({
      status: 404,
    });
    await by('viewer').listViews.deleteView({ params });
    expect(await namesOf('viewer')).toEqual([]);
  });

  test('a shared view is visible in the tenant, and can be changed by its owner and administrators', async () => {
    await expect(save('viewer', 'x', { is_shared: true })).rejects.toMatchObject({ status: 403 });
    const { id } = await save('analyst', 'shared', { is_shared: true });
    const params = { view_id: id };
    expect(await list(by('viewer'))).toMatchObject([{ id, may_change: false, is_shared: true }]);
    expect(await list(service.other.byOwner)).toEqual([]);
    const body = { name: 'renamed' };
    await expect(by('viewer').listViews.updateView({ params, body })).rejects.toMatchObject({
      status: 403,
    });
    expect(await by('admin').listViews.updateView({ params, body })).toMatchObject(body);
    await expect(
      service.other.byOwner.listViews.updateView({ params, body }),
    ).rejects.toMatchObject({ status: 404 });
    await by('analyst').listViews.updateView({ params, body: { is_shared: false } });
    expect(await namesOf('admin')).toEqual([]);
    expect(await namesOf('analyst')).toEqual(['renamed']);
    await by('analyst').listViews.deleteView({ params });
  });

  test('each user has a default view per list', async () => {
    const { id } = await save('analyst', 'first', { is_shared: true });
    const params = { list: 'runs' } as const;
    await by('viewer').listViews.setDefaultView({ params, body: { view_id: id } });
    expect(await list(by('viewer'))).toMatchObject([{ id, is_default: true }]);
    expect(await list(by('analyst'))).toMatchObject([{ id, is_default: false }]);
    await expect(
      by('viewer').listViews.setDefaultView({
        params: { list: 'llm-calls' },
        body: { view_id: id },
      }),
    ).rejects.toMatchObject({ status: 400 });
    await by('viewer').listViews.setDefaultView({ params, body: { view_id: null } });
    expect(await list(by('viewer'))).toMatchObject([{ id, is_default: false }]);
    await by('analyst').listViews.deleteView({ params: { view_id: id } });
  });

  test('deleting a user deletes private views and keeps shared ones', async () => {
    await save('admin', 'private');
    await save('admin', 'stays', { is_shared: true });
    const params = { id: ids.admin ?? '' };
    await service.one.byOwner.identity.deleteUser({ params });
    const rows = await service.storage.db.selectFrom('list_views').select('name').execute();
    expect(rows).toEqual([{ name: 'stays' }]);
    expect(await list(by('viewer'))).toMatchObject([{ name: 'stays', owner: null }]);
  });
});
