import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import { databases } from '../support/databases.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const MIDNIGHT = Date.parse('2026-03-03T00:00:00.000Z');

describe.each(databases)('the usage of a day, in UTC, on %s', (kind) => {
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

  test.each([
    ['an agent', { agents: ['early'] }, MIDNIGHT],
    ['all agents', {}, MIDNIGHT + 7 * DAY],
  ])('of %s holds its first hour, and nothing of the day before', async (name, scope, midnight) => {
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

  test('of a week and a month begins at midnight of the zone that the policy names', async () => {
    const agent = 'berliner';
    const { policies } = service.byKey;
    for (const { id } of (await policies.listPolicies({ query: { limit: 50 } })).results)
      await policies.deletePolicy({ params: { id }, query: {} });
    const rules = { weekly_cost_limit: 2, monthly_cost_limit: 3, timezone: 'Europe/Berlin' };
    await service.byKey.policies.createPolicy({
      body: { name: agent, category: 'budget', rules, scope: { agents: [agent] } },
    });
    const at = (time: string) => service.setTime(Date.parse(time));
    const action = async () => (await check(agent))[0];
    // Monday in Berlin begins at 22:00 UTC in summer, and May on a Friday.
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
});
