import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestClient } from '../support/control-plane.ts';
import { databases } from '../support/databases.ts';
import { startTwoTenants, type TwoTenants } from '../support/two-tenants.ts';

/** Concurrent checks share a transaction, even those of different tenants. */
const AT_ONCE = 10;

describe.each(databases)('policies of two tenants for agents with the same name on %s', (kind) => {
  let tenants: TwoTenants;
  beforeAll(async () => {
    tenants = await startTwoTenants(kind);
    tenants.setTime(Date.parse('2026-03-02T10:00:00.000Z'));
  });
  afterAll(() => tenants.stop());

  const policyFor = (
    by: TestClient,
    agent: string,
    category: string,
    rules: Record<string, number>,
  ) =>
    by.policies.createPolicy({
      body: { name: `${category} of ${agent}`, category, rules, scope: { agents: [agent] } },
    });
  const check = async (by: TestClient, agent_name: string): Promise<string> =>
    (await by.evaluations.checkPolicy({ body: { agent_name } })).action;
  const each = <T>(of: (by: TestClient) => Promise<T>): Promise<[T, T]> =>
    Promise.all([of(tenants.one.byKey), of(tenants.other.byKey)]);
  /** Sends this many checks of each tenant at once; returns the results. */
  const checkAtOnce = (agent: string): Promise<[string[], string[]]> => {
    const checks = Array.from({ length: AT_ONCE }, () => each((by) => check(by, agent)));
    return Promise.all(checks).then((pairs) => [
      pairs.map(([one]) => one),
      pairs.map(([, other]) => other),
    ]);
  };
  const times = (action: string, count: number): string[] => Array<string>(count).fill(action);

  test('count the checks of each tenant separately', async () => {
    const rules = { max_per_hour: AT_ONCE + 1, max_concurrent: 1000 };
    await each((by) => policyFor(by, 'counted', 'rate-limit', rules));
    const allowed = times('allow', AT_ONCE);
    expect(await checkAtOnce('counted')).toEqual([allowed, allowed]);
    for (const { byKey } of [tenants.other, tenants.one])
      expect([await check(byKey, 'counted'), await check(byKey, 'counted')]).toEqual([
        'allow',
        'block',
      ]);
  });

  test('count the costs of each tenant separately', async () => {
    await each((by) => policyFor(by, 'spending', 'budget', { daily_cost_limit: 1 }));
    const { recording } = tenants.one.byKey;
    const { run_id } = await recording.startRun({ body: { agent_name: 'spending' } });
    const calls = [{ model: 'gpt-4o', tokens_in: 1, tokens_out: 1, cost: 2 }];
    await recording.recordLlmCalls({ params: { run_id }, body: { calls } });
    expect(await checkAtOnce('spending')).toEqual([
      times('block', AT_ONCE),
      times('allow', AT_ONCE),
    ]);
  });
});
