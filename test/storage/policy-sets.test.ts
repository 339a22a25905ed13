/**
 * The names of the policies of a check are stored once per day, and listed as they were at the
 * time.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deleteOld } from '#control-plane/retention/queries.ts';
import { databases } from '../support/databases.ts';
import { startTwoTenants, type TwoTenants } from '../support/two-tenants.ts';

const NOON = Date.parse('2026-03-02T12:00:00.000Z');
const DAY_MS = 24 * 3_600_000;

describe.each(databases)('evaluated policies, on %s', (kind) => {
  let tenants: TwoTenants;
  beforeAll(async () => {
    tenants = await startTwoTenants(kind);
    tenants.setTime(NOON);
  });
  afterAll(() => tenants.stop());

  const check = (agent_name: string) =>
    tenants.one.byKey.evaluations.checkPolicy({ body: { agent_name } });
  const stored = () =>
    tenants.storage.db.selectFrom('policy_sets').select(['tenant_id', 'day', 'key']).execute();
  const recordedChecks = async (query: object) => {
    const { results, count } = await tenants.one.byOwner.evaluations.listEvaluations({ query });
    expect(count).toBe(results.length);
    return results.map(({ policy_name, category }) => [policy_name, category]);
  };

  test('are listed by the names they had', async () => {
    const agent = 'renamed';
    const make = (name: string, category: string) =>
      tenants.one.byKey.policies.createPolicy({
        body: { name, category, scope: { agents: [agent] } },
      });
    const { id } = await make('Before', 'operations');
    await make('Beside', 'kill');
    const before = (await stored()).length;
    for (let i = 0; i < 5; i += 1) await check(agent);
    expect((await stored()).length).toBe(before + 1);
    await tenants.one.byKey.policies.updatePolicy({ params: { id }, body: { name: 'After' } });
    await check(agent);
    expect((await stored()).length).toBe(before + 2);
    expect(await recordedChecks({ agent, policy_id: id })).toEqual([
      ['After', 'operations'],
      ...Array.from({ length: 5 }, () => ['Before', 'operations']),
    ]);
    expect(await recordedChecks({ agent, category: 'kill' })).toEqual(
      Array.from({ length: 6 }, () => ['Beside', 'kill']),
    );
  });

  test('of a day are deleted when none of its checks is left', async () => {
    const { tenant_id } = (await stored())[0] as { tenant_id: string };
    const days = async () => (await stored()).map(({ day }) => day * DAY_MS);
    const today = Math.floor(NOON / DAY_MS) * DAY_MS;
    const later = 2 * DAY_MS;
    tenants.setTime(NOON + later);
    await check('renamed');
    const all = await days();
    const cutoff = NOON + later - 1;
    // Deletes in batches, because the sets of remaining checks must stay.
    for (let deleted = 2; deleted >= 2;) {
      deleted = await deleteOld(tenants.storage, tenant_id, cutoff, 2);
      const left = await tenants.storage.db.selectFrom('policy_checks').select('id').execute();
      expect(await recordedChecks({ agent: 'renamed' })).toHaveLength(2 * left.length);
    }
    expect(all).toContain(today);
    expect(await days()).toEqual([today + later]);
    expect(await recordedChecks({ agent: 'renamed' })).toEqual([
      ['After', 'operations'],
      ['Beside', 'kill'],
    ]);
  });
});
