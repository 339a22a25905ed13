import { describe, expect, test } from 'vitest';
import { databases } from '../support/databases.ts';
import { setUpPolicies } from '../support/policies.ts';

describe.each(databases)('policies on %s', (kind) => {
  const world = setUpPolicies(kind);
  const { create, get, remove } = world;

  test('a change with an outdated version is rejected', async () => {
    const { id } = await create();
    const change = (priority: number, version?: number) =>
      world.service.byOwner.policies.updatePolicy({ params: { id }, body: { priority, version } });
    await change(1, 1);
    await expect(change(2, 1)).rejects.toMatchObject({
      status: 409,
      message: 'version mismatch: the policy is at version 2, not 1',
    });
    expect((await change(3)).version).toBe(3);
  });

  test('every change and deletion creates a version with author and reason', async () => {
    const { id } = await create({ name: 'Versioned' });
    const params = { id };
    await world.service.byKey.policies.updatePolicy({
      params,
      body: { rules: { max_per_minute: 5 }, note: 'too many tickets' },
    });
    // An update without a change.
    await world.service.byKey.policies.updatePolicy({
      params,
      body: { rules: { max_per_minute: 5 } },
    });
    await remove(id, 'no longer needed');
    await expect(get(id)).rejects.toMatchObject({ status: 404 });
    const { policies } = world.service.byOwner;
    const { results, count } = await policies.listPolicyVersions({ params, query: {} });
    const me = await world.service.byOwner.identity.me();
    const key = { actor_type: 'agent', actor_id: expect.stringMatching(/^key_/) };
    expect(count).toBe(3);
    expect(results).toMatchObject([
      { version: 3, change: 'delete', note: 'no longer needed', name: 'Versioned', ...key },
      { version: 2, change: 'update', note: 'too many tickets', ...key },
      { version: 1, change: 'create', note: '', actor_type: 'user', actor_id: me.id },
    ]);
    const version = (number: string) =>
      policies.getPolicyVersion({ params: { id, version: number } });
    const [first, second, third] = [await version('1'), await version('2'), await version('3')];
    expect([first.before, third.after]).toEqual([null, null]);
    expect(second.before).toEqual(first.after);
    expect(third.before).toEqual(second.after);
    expect(second.after).toMatchObject({ id, version: 2, rules: { max_per_minute: 5 } });
    await expect(version('4')).rejects.toMatchObject({ status: 404 });
    await expect(version('x')).rejects.toMatchObject({ status: 404 });
    const none = policies.listPolicyVersions({ params: { id: 'pol_none' }, query: {} });
    await expect(none).rejects.toMatchObject({ status: 404 });
  });

  test('a policy can be restored to any version, also after its deletion', async () => {
    const first = await create({ name: 'Restored' });
    const { id } = first;
    const restore = (version: number, note = '') =>
      world.service.byOwner.policies.restorePolicyVersion({
        params: { id, version: String(version) },
        body: { note },
      });
    await world.service.byOwner.policies.updatePolicy({ params: { id }, body: { enabled: false } });
    const restored = await restore(1, 'back');
    expect(restored).toEqual({ ...first, version: 3, updated_at: restored.updated_at });
    await remove(id);
    await expect(restore(4)).rejects.toMatchObject({
      status: 409,
      message: 'version 4 is the deletion of the policy: restore an earlier one',
    });
    const other = await create({ name: 'Restored' });
    await expect(restore(1)).rejects.toMatchObject({ status: 409 });
    await remove(other.id);
    expect(await restore(2)).toMatchObject({ id, name: 'Restored', enabled: false, version: 5 });
    const { results } = await world.service.byOwner.policies.listPolicyVersions({
      params: { id },
      query: { limit: 1 },
    });
    expect(results).toMatchObject([{ version: 5, change: 'restore' }]);
    await expect(restore(9)).rejects.toMatchObject({ status: 404 });
  });

  test('concurrent changes get versions without gaps, and names stay unique', async () => {
    const { id } = await create();
    const changes = Array.from({ length: 20 }, (_, priority) =>
      world.service.byOwner.policies.updatePolicy({ params: { id }, body: { priority } }),
    );
    const versions = (await Promise.all(changes)).map(({ version }) => version);
    expect(versions.toSorted((a, b) => a - b)).toEqual(changes.map((_, i) => i + 2));
    const same = await Promise.allSettled(changes.map(() => create({ name: 'At once' })));
    expect(same.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
});
