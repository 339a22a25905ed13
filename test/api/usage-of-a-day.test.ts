import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import { databases } from '../support/databases.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const MIDNIGHT = Date.parse('2026-03-03T00:00:00.000Z');

describe.each(databases)('the daily usage in UTC on %s', (kind) => {
  let service: TestControlPlane;
  beforeAll(async () => {
    service = await startTestControlPlane(kind);
  });
  afterAll(() => service.stop());

  const spend = async (agent_name: string, cost: number): Promise<void> => {
    const { run_id } = await service.byKey.recording.startRun({ body: { agent_name } });
    const calls = [{ model: 'gpt-4o', tokens_in: 60, tokens_out: 40, cost }];
    await service.byKey.recording.recordLlmCalls({ params: { run_id }, body: { calls } });
  };
  const check = async (agent_name: string) => {
    const { action, reason } = await service.byKey.evaluations.checkPolicy({
      body: { agent_name },
    });
    return [action, reason];
  };
  const reached = ['block', 'Daily cost limit reached ($1.000/$1.000)'];

  const budget = (name: string, scope: object) =>
    service.byKey.policies.createPolicy({
      body: { name, category: 'budget', rules: { daily_cost_limit: 1 }, scope },
    });

  async function deletePolicies(): Promise<void> {
    const { policies } = service.byKey;
    for (const { id } of (await policies.listPolicies({ query: { limit: 50 } })).results)
      await policies.deletePolicy({ params: { id }, query: {} });
  }

  test.each([
    ['an agent', { agents: ['early'] }, MIDNIGHT],
    ['all agents', {}, MIDNIGHT + 7 * DAY],
  ])('of %s includes its first hour and nothing from before', async (name, scope, midnight) => {
    await budget(name, scope);
    const at = (minutes: number) => service.setTime(midnight + minutes * MINUTE);
    at(-1);
    await spend('early', 1);
    expect(await check('early')).toEqual(reached);
    at(0);
    expect(await check('early')).toEqual(['allow', 'Within budget']);
    at(10);
    await spend('early', 1);
    for (const minutes of [20, 24 * 60 - 1]) {
      at(minutes);
      expect(await check('early')).toEqual(reached);
    }
    at(24 * 60);
    expect(await check('early')).toEqual(['allow', 'Within budget']);
  });

  test("of a week or month begins at midnight in the policy's time zone", async () => {
    const agent = 'berliner';
    await deletePolicies();
    const rules = { weekly_cost_limit: 2, monthly_cost_limit: 3, timezone: 'Europe/Berlin' };
    await service.byKey.policies.createPolicy({
      body: { name: agent, category: 'budget', rules, scope: { agents: [agent] } },
    });
    const at = (time: string) => service.setTime(Date.parse(time));
    const action = async () => (await check(agent))[0];
    // In summer, Monday in Berlin begins at 22:00 UTC. May begins on a Friday.
    at('2026-04-26T21:30:00Z');
    await spend(agent, 2);
    expect(await check(agent)).toEqual(['block', 'Weekly cost limit reached ($2.000/$2.000)']);
    at('2026-04-26T22:00:00Z');
    expect(await action()).toBe('allow');
    await spend(agent, 1);
    expect(await check(agent)).toEqual(['block', 'Monthly cost limit reached ($3.000/$3.000)']);
    at('2026-04-30T21:59:00Z');
    expect(await action()).toBe('block');
    at('2026-04-30T22:00:00Z');
    expect(await action()).toBe('allow');
  });

  test('is separate for the agents, period and time zone of each budget in one check', async () => {
    await deletePolicies();
    const spendAt = async (time: string, agent: string, cost: number): Promise<void> => {
      service.setTime(Date.parse(time));
      await spend(agent, cost);
    };
    // A Wednesday. In Berlin the next day begins at 22:00 UTC.
    await spendAt('2026-06-09T10:00:00Z', 'one', 8);
    await spendAt('2026-06-10T21:30:00Z', 'one', 1);
    await spendAt('2026-06-10T22:30:00Z', 'one', 2);
    await spendAt('2026-06-10T22:30:00Z', 'two', 4);
    const one = { agents: ['one'] };
    const daily = { daily_cost_limit: 100 };
    const budgets: [
      name: string,
      rules: Record<string, unknown>,
      scope: object,
      current: number,
    ][] = [
      ['one', daily, one, 3],
      ['one, Berlin', { ...daily, timezone: 'Europe/Berlin' }, one, 2],
      ['one, weekly', { weekly_cost_limit: 100 }, one, 11],
      ['all', daily, {}, 7],
      ['all, Berlin', { ...daily, timezone: 'Europe/Berlin' }, {}, 6],
    ];
    for (const [name, rules, scope] of budgets)
      await service.byKey.policies.createPolicy({
        body: { name, category: 'budget', rules, scope },
      });
    const { metadata } = await service.byKey.evaluations.checkPolicy({
      body: { agent_name: 'one' },
    });
    const evaluations = metadata.evaluations as {
      policy_name: string;
      metadata: { current: number };
    }[];
    expect(
      Object.fromEntries(evaluations.map((each) => [each.policy_name, each.metadata.current])),
    ).toEqual(Object.fromEntries(budgets.map(([name, , , current]) => [name, current])));
  });
});
