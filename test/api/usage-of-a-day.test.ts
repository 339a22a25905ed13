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
    const { action, reason } = await service.byKey.governance.checkPolicy({ body: { agent_name } });
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
});
