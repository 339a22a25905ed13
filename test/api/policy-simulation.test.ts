import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { policyRoutes } from '#contract/policies.ts';
import type { RouteRequest } from '#contract/route.ts';
import { databases } from '../support/databases.ts';
import { stoppedByRateLimit } from '../support/rate-limit-reference.ts';
import { startTwoTenants, type TwoTenants } from '../support/two-tenants.ts';

type Request = RouteRequest<(typeof policyRoutes)['simulatePolicy']>['body'];

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const NOW = Date.UTC(2026, 2, 10, 12);
/** Two days before `NOW`. */
const T = Date.UTC(2026, 2, 8, 10);

const iso = (at: number): string => new Date(at).toISOString();

describe.each(databases)('simulating a policy on %s', (kind) => {
  let tenants: TwoTenants;
  beforeAll(async () => {
    tenants = await startTwoTenants(kind);
    tenants.setTime(NOW);
  });
  afterAll(() => tenants.stop());

  const simulate = (body: Request) => tenants.one.byKey.policies.simulatePolicy({ body });

  async function record(
    run: { agent_name: string; at: number; lasts?: number; inputs?: Record<string, unknown> },
    {
      tokens = 0,
      prompt = '',
      tool = '',
      by = tenants.one.byKey,
      isError = false,
    }: {
      tokens?: number;
      prompt?: string;
      tool?: string;
      by?: typeof tenants.one.byKey;
      isError?: boolean;
    } = {},
  ): Promise<number> {
    const { at, lasts, ...body } = run;
    const { run_id } = await by.recording.startRun({ body: { ...body, started_at: iso(at) } });
    const params = { run_id };
    const created_at = iso(at + 1000);
    if (tokens > 0 || prompt)
      await by.recording.recordLlmCalls({
        params,
        body: {
          calls: [
            {
              model: 'm',
              tokens_in: tokens,
              tokens_out: 0,
              cost: 1,
              created_at,
              prompt_preview: prompt,
            },
          ],
        },
      });
    if (tool)
      await by.recording.recordSpans({ params, body: { spans: [{ name: tool, kind: 'tool' }] } });
    if (lasts !== undefined)
      await by.recording.completeRun({
        params,
        body: { completed_at: iso(at + lasts), status: isError ? 'error' : 'success' },
      });
    return Number(run_id);
  }

  test('a rate limit is counted over recorded runs like in a naive implementation', async () => {
    const starts = Array.from({ length: 40 }, (_, i) => T + i * i * 700);
    const runs: Parameters<typeof stoppedByRateLimit>[1][number][] = [];
    for (const [i, at] of starts.entries()) {
      const agent_name = i % 3 === 0 ? 'pace-b' : 'pace-a';
      const lasts = 30_000 + i * 1000;
      const id = await record({ agent_name, at, lasts });
      runs.push({
        id,
        agent_name,
        workflow_name: 'default',
        started_at: at,
        completed_at: at + lasts,
      });
    }
    // Runs of another tenant and of another time do not count.
    await record({ agent_name: 'pace-a', at: T }, { by: tenants.other.byKey });
    await record({ agent_name: 'pace-a', at: NOW - 8 * DAY });
    const rules = {
      max_per_minute: 4,
      max_per_hour: 15,
      max_concurrent: 3,
      burst_window_seconds: 10,
    };
    const draft = { category: 'rate-limit', rules, scope: { agents: ['pace-*'] } };
    const recorded = async () => ({
      checks: await tenants.storage.db.selectFrom('policy_checks').select('id').execute(),
      evaluations: await tenants.storage.db.selectFrom('evaluations').select('id').execute(),
    });
    const before = await recorded();
    const result = await simulate({ policy: draft });
    const stopped = stoppedByRateLimit(rules, runs);
    expect(stopped.length).toBeGreaterThan(5);
    expect(result).toMatchObject({
      category: 'rate-limit',
      days: 7,
      since: iso(NOW - 7 * DAY),
      until: iso(NOW),
      runs_examined: 40,
      truncated: false,
      runs: 40,
      not_allowed: stopped.length,
      would_stop: stopped.length,
      would_interrupt: 0,
    });
    expect(result.examples.map(({ run_id }) => run_id)).toEqual(stopped.slice(0, 20));
    expect(result.examples[0]).toMatchObject({
      workflow_name: 'default',
      phase: 'before_workflow',
      reason: expect.stringMatching(/limit reached \(\d+\/\d+\)$/),
    });
    // All of them started on one day, whose point contains all of them.
    expect(result.over_time).toEqual([
      { start: iso(Date.UTC(2026, 2, 8)), runs: 40, not_allowed: stopped.length },
    ]);
    const { allow = 0, block = 0, throttle = 0 } = result.by_action;
    expect([allow, block + throttle]).toEqual([40 - stopped.length, stopped.length]);
    expect(result.by_agent.map(({ agent_name }) => agent_name).toSorted()).toEqual([
      'pace-a',
      'pace-b',
    ]);
    // A stored policy gives the same result, and nothing was written.
    const { id } = await tenants.one.byOwner.policies.createPolicy({
      body: { name: 'Pace', ...draft, enabled: false },
    });
    expect(await simulate({ policy_id: id })).toEqual(result);
    expect(await recorded()).toEqual(before);
    const { results } = await tenants.one.byOwner.policies.listPolicies({ query: {} });
    expect(results).toHaveLength(1);
  });

  test('operations shows which runs were late', async () => {
    const late = await record({ agent_name: 'slow', at: T, lasts: 90_000 });
    await record({ agent_name: 'slow', at: T, lasts: 30_000 });
    await record({ agent_name: 'slow', at: T });
    const result = await simulate({
      policy: {
        category: 'operations',
        rules: { timeout_seconds: 60 },
        scope: { agents: ['slow'] },
      },
      days: 90,
    });
    expect(result).toMatchObject({ runs: 3, not_allowed: 1, by_action: { allow: 2, warn: 1 } });
    expect(result.examples).toEqual([
      {
        run_id: late,
        agent_name: 'slow',
        workflow_name: 'default',
        at: iso(T + 90_000),
        phase: 'after_workflow',
        action: 'warn',
        reason: 'Run exceeded timeout (90s/60s)',
      },
    ]);
  });

  test('a budget counts the usage of previous runs', async () => {
    const at = (hour: number) => T + hour * 60 * MINUTE;
    const ids: number[] = [];
    for (const hour of [1, 2, 3, 4])
      ids.push(
        await record({ agent_name: 'spender', at: at(hour), lasts: MINUTE }, { tokens: 400 }),
      );
    const result = await simulate({
      policy: {
        category: 'cost',
        rules: { daily_token_limit: 1000 },
        scope: { agents: ['spender'] },
      },
    });
    expect(result.category).toBe('budget');
    // The third run exceeds the limit midway; the fourth is not allowed to start.
    expect(result.examples.map(({ run_id, phase, action }) => [run_id, phase, action])).toEqual([
      [ids[2], 'before_workflow', 'warn'],
      [ids[2], 'mid_execution', 'block'],
      [ids[3], 'before_workflow', 'block'],
    ]);
    expect(result).toMatchObject({ would_stop: 1, would_interrupt: 1 });
  });

  test('a circuit opens after recorded errors', async () => {
    for (let i = 0; i < 6; i += 1)
      await record({ agent_name: 'broken', at: T + i * 10_000, lasts: 5000 }, { isError: true });
    const result = await simulate({
      policy: { category: 'kill', rules: { min_samples: 3 }, scope: { agents: ['broken'] } },
    });
    expect(result.would_stop).toBe(3);
  });

  test('tools and their servers recorded on runs are checked', async () => {
    await record({ agent_name: 'reader', at: T }, { tool: 'mcp:files:delete' });
    await record({ agent_name: 'reader', at: T }, { tool: 'search' });
    const result = await simulate({
      policy: {
        category: 'mcp-server-allowlist',
        rules: { blocked_servers: ['files'] },
        scope: { agents: ['reader'] },
      },
    });
    expect(result).toMatchObject({ runs: 2, would_interrupt: 1, would_stop: 0 });
    expect(result.notes.join(' ')).toMatch(/the first 50 calls and tools/);
  });

  test('a simulation without runs succeeds', async () => {
    const result = await simulate({
      policy: { category: 'rate-limit', scope: { agents: ['unknown-agent'] } },
      days: 1,
    });
    expect(result).toMatchObject({ runs: 0, by_agent: [], examples: [] });
  });

  test.each<[string, object, RegExp]>([
    ['nothing', {}, /^policy: expected either a draft here or the id of a policy in `policy_id`$/],
    ['both', { policy: { category: 'operations' }, policy_id: 'x' }, /^policy: expected either/],
    ['no day', { policy: { category: 'operations' }, days: 0 }, /^days: /],
    ['a year', { policy: { category: 'operations' }, days: 365 }, /^days: /],
    ['an unknown category', { policy: { category: 'x' } }, /^policy\.category: unknown category/],
    [
      'bad rules',
      { policy: { category: 'operations', rules: { timeout_seconds: 0 } } },
      /^policy\.rules\.timeout_seconds: /,
    ],
    ['an unknown field', { policy: { category: 'operations' }, dry: true }, /dry/],
  ])('%s is rejected', async (_what, body, line) => {
    const attempt = simulate(body);
    await expect(attempt).rejects.toMatchObject({ status: 400, code: 'validation_error' });
    await expect(attempt).rejects.toThrow(line);
  });
});
