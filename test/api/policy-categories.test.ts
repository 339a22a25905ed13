import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import { databases } from '../support/databases.ts';

// A Monday.
const T0 = Date.parse('2026-03-02T10:00:00.000Z');
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

describe.each(databases)('policy categories on %s', (kind) => {
  let service: TestControlPlane;
  beforeAll(async () => {
    service = await startTestControlPlane(kind);
    service.setTime(T0);
  });
  afterAll(() => service.stop());

  let count = 0;
  const newAgent = (): string => `agent-${(count += 1)}`;
  const policyFor = (agent: string, category: string, rules: object) =>
    service.byKey.policies.createPolicy({
      body: {
        name: `${category} of ${agent}`,
        category,
        rules: { ...rules },
        scope: { agents: [agent] },
      },
    });
  const check = (agent_name: string, more: object = {}) =>
    service.byKey.evaluations.checkPolicy({ body: { agent_name, ...more } });
  const start = async (agent_name: string, more: object = {}): Promise<string> =>
    (await service.byKey.recording.startRun({ body: { agent_name, ...more } })).run_id;
  const call = (run_id: string, cost: number, model = 'gpt-4o') =>
    service.byKey.recording.recordLlmCalls({
      params: { run_id },
      body: { calls: [{ model, tokens_in: 60, tokens_out: 40, cost }] },
    });
  const useTool = (run_id: string, name: string) =>
    service.byKey.recording.recordSpans({
      params: { run_id },
      body: { spans: [{ name, kind: 'tool' }] },
    });
  const complete = (run_id: string, body: object = {}) =>
    service.byKey.recording.completeRun({ params: { run_id }, body });
  const answersOf = async (query: object) =>
    (await service.byOwner.evaluations.listEvaluations({ query })).results.map(
      ({ phase, action, reason }) => [phase, action, reason],
    );
  const incidentsOf = async (agent: string) =>
    (await service.byOwner.incidents.listIncidents({ query: { agent } })).results.map(
      ({ action, reason }) => [action, reason],
    );

  test("budget: today's spending of agents counts towards the limits per day, model and run", async () => {
    service.setTime(T0);
    const agent = newAgent();
    const policy = await policyFor(agent, 'cost', {
      daily_cost_limit: 1,
      per_workflow_cost_limit: 0.7,
      model_limits: { 'gpt-4o': { daily_token_limit: 1000 } },
    });
    expect(policy.category).toBe('budget');
    expect(await check(agent)).toMatchObject({ action: 'allow', reason: 'Within budget' });

    const run_id = await start(agent);
    await call(run_id, 0.5);
    expect(await check(agent)).toMatchObject({ action: 'allow' });
    await call(run_id, 0.35);
    expect(await check(agent)).toMatchObject({
      action: 'warn',
      reason: 'Daily cost limit 85% used ($0.850/$1.000)',
    });
    expect(await check(agent, { estimated_cost: 0.2 })).toMatchObject({
      action: 'block',
      reason: 'Daily cost limit would be exceeded ($0.850 + $0.200 expected/$1.000)',
    });
    expect(await complete(run_id)).toMatchObject({ governance_action: 'warn' });
    expect(await answersOf({ run_id })).toEqual([
      ['after_workflow', 'warn', 'Workflow exceeded cost limit ($0.850/$0.700)'],
      ['mid_execution', 'block', 'Workflow exceeded cost limit ($0.850/$0.700)'],
      ['mid_execution', 'allow', 'Within budget'],
    ]);

    await call(await start(agent), 0.15);
    expect(await check(agent)).toMatchObject({
      action: 'block',
      reason: 'Daily cost limit reached ($1.000/$1.000)',
      metadata: { rule: 'daily_cost_limit', limit: 1, category: 'budget' },
    });
    service.setTime(Date.parse('2026-03-03T00:00:00Z'));
    expect(await check(agent)).toMatchObject({ action: 'allow' });
  });

  test('budget: a policy for all agents counts all of them, one for an agent only that one', async () => {
    service.setTime(T0 + 10 * DAY);
    const [agent, other] = [newAgent(), newAgent()];
    await policyFor(agent, 'budget', { daily_token_limit: 150 });
    const all = await service.byKey.policies.createPolicy({
      body: { name: 'all', category: 'budget', rules: { daily_token_limit: 200 } },
    });
    await call(await start(agent), 0);
    await call(await start(other), 0);
    expect(await check(agent)).toMatchObject({
      action: 'block',
      reason: 'Daily token limit reached (200/200)',
      metadata: { policy_name: 'all' },
    });
    await service.byKey.policies.deletePolicy({ params: { id: all.id }, query: {} });
    expect(await check(agent)).toMatchObject({ action: 'allow', metadata: { current: 100 } });
  });

  test('budget: a model can have a separate limit', async () => {
    service.setTime(T0);
    const agent = newAgent();
    await policyFor(agent, 'budget', { model_limits: { 'gpt-4o': { daily_token_limit: 100 } } });
    await call(await start(agent), 0.01, 'gpt-4o-2024-08-06');
    expect(await check(agent, { models: ['gpt-4o'] })).toMatchObject({
      action: 'block',
      reason: 'Daily token limit of gpt-4o reached (100/100)',
    });
    expect(await check(agent, { models: ['claude-sonnet-4-5'] })).toMatchObject({
      action: 'allow',
    });
  });

  test('kill: an agent that fails too often is blocked, and recovers automatically', async () => {
    service.setTime(T0);
    const agent = newAgent();
    await policyFor(agent, 'kill', { min_samples: 4, auto_recover_after_minutes: 10 });
    await complete(await start(agent));
    const failed = { status: 'error', error: 'no' };
    await complete(await start(agent), failed);
    await complete(await start(agent), failed);
    expect(await check(agent)).toMatchObject({ action: 'allow', reason: 'Circuit closed' });
    expect(await complete(await start(agent), failed)).toMatchObject({ governance_action: 'warn' });
    const open = {
      action: 'block',
      reason: 'Circuit open: error rate 75% (3/4) exceeded 50%',
      metadata: { closes_at: '2026-03-02T10:10:00.000Z' },
    };
    expect(await check(agent)).toMatchObject(open);
    expect(await check(agent, { workflow_name: 'another' })).toMatchObject(open);
    expect(await incidentsOf(agent)).toEqual(
      expect.arrayContaining([
        ['warn', 'Circuit opened: error rate 75% (3/4) exceeded 50%'],
        ['block', 'Circuit open: error rate 75% (3/4) exceeded 50%'],
      ]),
    );
    service.setTime(T0 + 10 * MINUTE);
    expect(await check(agent)).toMatchObject({ action: 'allow' });
  });

  test('kill: runs that end at the same time are all counted', async () => {
    service.setTime(T0);
    const agent = newAgent();
    await policyFor(agent, 'kill', { min_samples: 20 });
    const runs = await Promise.all(Array.from({ length: 20 }, () => start(agent)));
    await Promise.all(runs.map((run) => complete(run, { status: 'error' })));
    expect(await check(agent)).toMatchObject({ metadata: { errors: 20, samples: 20 } });
    expect(await incidentsOf(agent)).toHaveLength(2);
  });

  test('llm: models are checked before and during calls, tokens per run', async () => {
    service.setTime(T0);
    const agent = newAgent();
    await policyFor(agent, 'llm', {
      allowed_models: ['gpt-4o'],
      blocked_models: ['gpt-4o-mini'],
      max_tokens_per_call: 150,
    });
    expect(await check(agent, { models: ['gpt-4o'] })).toMatchObject({ action: 'allow' });
    expect(await check(agent, { models: ['gpt-4o', 'gpt-4o-mini'] })).toMatchObject({
      action: 'block',
      reason: "Model 'gpt-4o-mini' is blocked",
    });
    const run_id = await start(agent);
    await call(run_id, 0);
    await call(run_id, 0, 'mistral-large');
    await call(run_id, 0);
    await complete(run_id);
    expect(await answersOf({ run_id })).toEqual([
      ['after_workflow', 'warn', 'Run exceeded token limit (300/150)'],
      ['mid_execution', 'warn', 'Run exceeded token limit (300/150)'],
      ['mid_execution', 'block', "Model 'mistral-large' is not allowed"],
      ['mid_execution', 'allow', 'Models within policy'],
    ]);
  });

  test("scheduling: hours are those of the policy's time zone", async () => {
    const agent = newAgent();
    await policyFor(agent, 'scheduling', {
      allowed_hours: { start: 9, end: 17 },
      timezone: 'America/New_York',
    });
    service.setTime(T0);
    expect(await check(agent)).toMatchObject({
      action: 'block',
      reason: 'Outside allowed hours (now 05:00, allowed 09:00-17:00 America/New_York)',
    });
    service.setTime(T0 + 4 * 60 * MINUTE);
    expect(await check(agent)).toMatchObject({ action: 'allow' });
  });

  test('scheduling: an unknown time zone is rejected by name', async () => {
    await expect(policyFor('x', 'scheduling', { timezone: 'Mars/Olympus' })).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('rules.timezone: unknown time zone "Mars/Olympus"'),
    });
  });

  test('end users: limits per month and per minute apply across agents', async () => {
    service.setTime(T0);
    const [spender, caller] = [newAgent(), newAgent()];
    await policyFor(spender, 'end-user-budget', {});
    await policyFor(caller, 'end-user-rate-limit', {});
    const set = (
      id: string,
      limits: { monthly_budget: number | null; requests_per_minute: number | null },
    ) => service.byKey.endUsers.putEndUserLimits({ params: { kind: 'user', id }, body: limits });
    await set('eve', { monthly_budget: 0.01, requests_per_minute: 2 });
    const eve = { end_user_id: 'eve' };

    expect(await check(spender, eve)).toMatchObject({ action: 'allow' });
    for (let i = 0; i < 25; i += 1) await call(await start(newAgent(), eve), 0.0004);
    expect(await check(spender, eve)).toMatchObject({
      action: 'block',
      reason: "End-user 'eve' monthly budget exceeded ($0.010 / $0.010)",
    });
    expect(await check(spender, { end_user_id: 'ann' })).toMatchObject({
      action: 'allow',
      reason: '',
    });
    service.setTime(Date.parse('2026-04-01T00:00:00Z'));
    expect(await check(spender, eve)).toMatchObject({ action: 'allow' });

    const many = await Promise.all(Array.from({ length: 20 }, () => check(caller, eve)));
    expect(many.filter(({ action }) => action === 'allow')).toHaveLength(2);
    expect(await check(caller, eve)).toMatchObject({
      action: 'throttle',
      reason: "End-user 'eve' rate limit reached (2/2 in 60s)",
    });
    expect(await check(caller)).toMatchObject({ action: 'allow', reason: '' });
  });

  test('tools and MCP servers are checked before a run, by the names of MCP tools, and after their use', async () => {
    service.setTime(T0);
    const agent = newAgent();
    await policyFor(agent, 'tool-allowlist', { blocked_tools: ['delete_*'] });
    await policyFor(agent, 'mcp-server-allowlist', {
      allowed_servers: ['github'],
      action_on_violation: 'warn',
    });
    expect(await check(agent, { tools: ['search'], mcp_servers: ['github'] })).toMatchObject({
      action: 'allow',
    });
    expect(await check(agent, { tools: ['delete_all'] })).toMatchObject({
      action: 'block',
      reason: "Tool 'delete_all' is blocked",
    });
    expect(await check(agent, { workflow_name: 'mcp:files:read' })).toMatchObject({
      action: 'warn',
      reason: "MCP server 'files' is not allowed",
    });
    expect(await check(agent, { workflow_name: 'mcp:github:delete_repo' })).toMatchObject({
      action: 'block',
      reason: "Tool 'mcp:github:delete_repo' is blocked",
    });
    const run_id = await start(agent);
    await useTool(run_id, 'mcp:files:delete_file');
    expect(await answersOf({ run_id })).toEqual(
      expect.arrayContaining([
        ['mid_execution', 'block', "Tool 'mcp:files:delete_file' is blocked"],
        ['mid_execution', 'warn', "MCP server 'files' is not allowed"],
      ]),
    );
  });
});
