import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import { databases } from '../support/databases.ts';

const NOW = Date.parse('2026-03-10T10:30:00.000Z');
const DAY_MS = 24 * 3_600_000;

describe.each(databases)('the overview on %s', (kind) => {
  let service: TestControlPlane;
  beforeAll(async () => {
    service = await startTestControlPlane(kind);
    service.setTime(NOW);
  });
  afterAll(() => service.stop());

  test('an empty tenant has only zeros', async () => {
    const usage = { calls: 0, tokens: 0, cost: 0 };
    expect(await service.byOwner.overview.getOverview()).toEqual({
      at: new Date(NOW).toISOString(),
      agents: 0,
      runs: { running: 0, success: 0, error: 0 },
      last_day: usage,
      last_week: usage,
      incidents: { open: 0, acknowledged: 0 },
      approvals: { pending: 0 },
      devices: { active: 0, pending: 0, revoked: 0, online: 0 },
    });
  });

  test('objects are counted, and usage is counted from the full hour on', async () => {
    const { recording, policies, evaluations } = service.byKey;
    const run = async (agent_name: string, ages: number[], status?: 'success' | 'error') => {
      const { run_id } = await recording.startRun({ body: { agent_name } });
      const params = { run_id };
      const calls = ages.map((age) => ({
        model: 'm',
        tokens_in: 10,
        tokens_out: 0,
        cost: 0.1,
        created_at: new Date(NOW - age).toISOString(),
      }));
      await recording.recordLlmCalls({ params, body: { calls } });
      if (status) await recording.completeRun({ params, body: { status } });
    };
    await run('a', [0, DAY_MS + 29 * 60_000], 'success');
    await run('a', [DAY_MS + 31 * 60_000], 'error');
    await run('b', [8 * DAY_MS]);
    for (const [name, rules] of [
      ['hourly', { max_per_hour: 1 }],
      ['ask', { require_approval_for: ['session-start'] }],
    ] as const) {
      const category = name === 'ask' ? 'approval' : 'rate-limit';
      await policies.createPolicy({ body: { name, category, rules, scope: { agents: [name] } } });
    }
    for (const agent_name of ['hourly', 'hourly', 'ask'])
      await evaluations.checkPolicy({ body: { agent_name } });
    expect(await service.byOwner.overview.getOverview()).toMatchObject({
      agents: 2,
      runs: { running: 1, success: 1, error: 1 },
      last_day: { calls: 2, tokens: 20, cost: 0.2 },
      last_week: { calls: 3, tokens: 30, cost: 0.3 },
      incidents: { open: 2, acknowledged: 0 },
      approvals: { pending: 1 },
    });
  });
});
