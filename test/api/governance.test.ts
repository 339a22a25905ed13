import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newTraceId, requestOf, type TestSpan } from '../otel/spans.ts';
import { API_KEY, startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import { databases } from '../support/databases.ts';

const T0 = Date.parse('2026-03-02T10:00:00.000Z');

describe.each(databases)('governance on %s', (kind) => {
  let service: TestControlPlane;
  beforeAll(async () => {
    service = await startTestControlPlane(kind);
    service.setTime(T0);
  });
  afterAll(() => service.stop());

  let count = 0;
  /** Creates a policy for a new agent. */
  const policyFor = async (category: string, rules: object) => {
    const agent = `agent-${(count += 1)}`;
    const policy = await service.byKey.policies.createPolicy({
      body: {
        name: `${category} of ${agent}`,
        category,
        rules: { ...rules },
        scope: { agents: [agent] },
      },
    });
    return { agent, policy };
  };
  const check = (agent_name: string, more: object = {}) =>
    service.byKey.evaluations.checkPolicy({ body: { agent_name, ...more } });
  const start = async (agent_name: string): Promise<string> =>
    (await service.byKey.recording.startRun({ body: { agent_name } })).run_id;
  const complete = (run_id: string, body: object = {}) =>
    service.byKey.recording.completeRun({ params: { run_id }, body });
  const call = (run_id: string, more: object = {}) =>
    service.byKey.recording.recordLlmCalls({
      params: { run_id },
      body: { calls: [{ model: 'gpt-4o', tokens_in: 10, tokens_out: 5, ...more }] },
    });
  const evaluations = async (query: object) =>
    (await service.byOwner.evaluations.listEvaluations({ query })).results;
  const incidents = async (query: object) =>
    (await service.byOwner.incidents.listIncidents({ query })).results;

  describe('a policy check', () => {
    test('without a matching policy is allowed and recorded', async () => {
      expect(await check('unknown-agent')).toEqual({
        action: 'allow',
        reason: '',
        metadata: { evaluations: [] },
      });
      expect(await evaluations({ agent: 'unknown-agent' })).toMatchObject([
        { policy_id: null, action: 'allow', reason: 'No policy applies', run_id: null },
      ]);
    });

    test('returns the strictest result and the result of each policy', async () => {
      const { agent, policy } = await policyFor('rate-limit', { max_concurrent: 1 });
      const other = await service.byKey.policies.createPolicy({
        body: { name: `timeout of ${agent}`, category: 'operations', scope: { agents: [agent] } },
      });
      expect(await check(agent)).toMatchObject({ action: 'allow' });
      const answer = await check(agent);
      expect(answer).toMatchObject({
        action: 'throttle',
        reason: 'Concurrent limit reached (1/1)',
        metadata: { current: 1, limit: 1, policy_id: policy.id, category: 'rate-limit' },
      });
      expect(answer.metadata.evaluations).toHaveLength(2);
      expect(await evaluations({ agent, policy_id: other.id })).toMatchObject([
        { action: 'allow', reason: 'Timeout set to 300s' },
        { action: 'allow', reason: 'Timeout set to 300s' },
      ]);
    });

    test('is listed with one row per policy, each on exactly one page', async () => {
      const { agent } = await policyFor('operations', {});
      for (const name of ['second', 'third'])
        await service.byKey.policies.createPolicy({
          body: { name: `${name} of ${agent}`, category: 'operations', scope: { agents: [agent] } },
        });
      const { run_id } = await service.byKey.recording.startRun({ body: { agent_name: agent } });
      await check(agent);
      await check(agent);
      const all = await evaluations({ agent });
      expect(all.map((one) => one.run_id)).toEqual([
        ...Array.from({ length: 6 }, () => null),
        ...Array.from({ length: 3 }, () => Number(run_id)),
      ]);
      // Policies are evaluated and listed in the order of their creation.
      const names = all.slice(0, 6).map(({ policy_name }) => policy_name);
      expect(names).toEqual([...names.slice(0, 3), ...names.slice(0, 3)]);
      const paged = [];
      for (let offset = 0; offset < 9; offset += 2)
        paged.push(...(await evaluations({ agent, limit: 2, offset })));
      expect(paged).toEqual(all);
      expect(new Set(all.map(({ id }) => id)).size).toBe(9);
      const second = all.filter(({ policy_name }) => policy_name?.startsWith('second'));
      const policy_id = String(second[0]?.policy_id);
      expect(await evaluations({ agent, policy_id })).toEqual(second);
      expect(await evaluations({ agent, action: 'block' })).toEqual([]);
      const { count } = await service.byOwner.evaluations.listEvaluations({
        query: { agent, category: 'operations', phase: 'before_workflow', limit: 1 },
      });
      expect(count).toBe(9);
    });

    test('that is refused consumes no quota of policies that would allow it', async () => {
      const { agent } = await policyFor('rate-limit', { max_per_hour: 3 });
      const blocker = await service.byKey.policies.createPolicy({
        body: {
          name: `blocks ${agent}`,
          category: 'rate-limit',
          rules: { max_per_hour: 1 },
          scope: { agents: [agent], workflows: ['narrow'] },
        },
      });
      expect(await check(agent, { workflow_name: 'narrow' })).toMatchObject({ action: 'allow' });
      for (let i = 0; i < 3; i += 1)
        expect(await check(agent, { workflow_name: 'narrow' })).toMatchObject({
          action: 'block',
          reason: 'Per-hour limit reached (1/1)',
        });
      await service.byKey.policies.deletePolicy({ params: { id: blocker.id }, query: {} });
      expect(await check(agent, { workflow_name: 'narrow' })).toMatchObject({ action: 'allow' });
      expect(await check(agent, { workflow_name: 'narrow' })).toMatchObject({ action: 'allow' });
      expect(await check(agent, { workflow_name: 'narrow' })).toMatchObject({
        reason: 'Per-hour limit reached (3/3)',
      });
    });

    test('is admitted exactly up to the limit for two hundred concurrent requests', async () => {
      const { agent } = await policyFor('rate-limit', { max_per_hour: 37, max_concurrent: 1000 });
      const answers = await Promise.all(Array.from({ length: 200 }, () => check(agent)));
      const admitted = answers.filter(({ action }) => action === 'allow');
      expect(admitted).toHaveLength(37);
      expect(answers.filter(({ action }) => action === 'block')).toHaveLength(163);
    });

    test('frees its slot once when the run is completed, with success or error', async () => {
      const { agent } = await policyFor('rate-limit', { max_concurrent: 2 });
      const actions = async () => (await check(agent)).action;
      expect([await actions(), await actions(), await actions()]).toEqual([
        'allow',
        'allow',
        'throttle',
      ]);
      const run = await start(agent);
      await complete(run, { status: 'error', error: 'no', batch_id: crypto.randomUUID() });
      expect([await actions(), await actions()]).toEqual(['allow', 'throttle']);
      const batch = { batch_id: crypto.randomUUID() };
      const other = await start(agent);
      await complete(other, batch);
      await complete(other, batch);
      expect([await actions(), await actions()]).toEqual(['allow', 'throttle']);
    });

    test('frees its slot also while the policy is disabled', async () => {
      const { agent, policy } = await policyFor('rate-limit', { max_concurrent: 1 });
      const params = { id: policy.id };
      await check(agent);
      const run = await start(agent);
      await service.byKey.policies.updatePolicy({ params, body: { enabled: false } });
      await complete(run);
      await service.byKey.policies.updatePolicy({ params, body: { enabled: true } });
      expect(await check(agent)).toMatchObject({ action: 'allow' });
    });

    test('is counted across an edit of the rules, and the new rules apply', async () => {
      const { agent, policy } = await policyFor('rate-limit', { max_per_minute: 2 });
      await check(agent);
      await check(agent);
      const params = { id: policy.id };
      await service.byKey.policies.updatePolicy({ params, body: { rules: { max_per_minute: 3 } } });
      expect(await check(agent)).toMatchObject({ action: 'allow' });
      expect(await check(agent)).toMatchObject({ reason: 'Per-minute limit reached (3/3)' });
    });

    test('with a warning or block opens an incident, which counts repetitions while it is open', async () => {
      const { agent } = await policyFor('rate-limit', { max_per_hour: 1 });
      for (let i = 0; i < 4; i += 1) await check(agent);
      const [incident, ...more] = await incidents({ agent });
      expect(more).toEqual([]);
      expect(incident).toMatchObject({
        action: 'block',
        status: 'open',
        occurrences: 3,
        run_id: null,
      });
      const params = { id: incident?.id ?? '' };
      const { updateIncident, getIncident } = service.byOwner.incidents;
      await updateIncident({ params, body: { status: 'acknowledged' } });
      await check(agent);
      expect(await incidents({ agent })).toMatchObject([
        { status: 'acknowledged', occurrences: 4 },
      ]);
      await updateIncident({ params, body: { status: 'resolved', note: 'as planned' } });
      await check(agent);
      expect(
        (await incidents({ agent })).map(({ status, occurrences }) => [status, occurrences]),
      ).toEqual(
        expect.arrayContaining([
          ['open', 1],
          ['resolved', 4],
        ]),
      );
      expect(await getIncident({ params })).toMatchObject({ note: 'as planned' });
    });
  });

  describe('operations', () => {
    test('a run within its timeout is allowed', async () => {
      service.setTime(T0);
      const { agent } = await policyFor('operations', { timeout_seconds: 60 });
      const run = await start(agent);
      service.setTime(T0 + 10_000);
      expect(await call(run)).toEqual({ status: 'ok', count: 1 });
      service.setTime(T0 + 20_000);
      expect(await complete(run)).toMatchObject({ status: 'ok', governance_action: 'allow' });
      expect(
        (await evaluations({ run_id: run })).map(({ phase, reason }) => [phase, reason]),
      ).toEqual([
        ['after_workflow', 'Completed within timeout (20s/60s)'],
        ['mid_execution', 'Within timeout (10s/60s)'],
        ['before_workflow', 'Timeout set to 60s'],
      ]);
      expect(await incidents({ run_id: run })).toEqual([]);
    });

    test('a late run gets a warning, an evaluation and an incident, but no error', async () => {
      service.setTime(T0);
      const { agent, policy } = await policyFor('operations', { timeout_seconds: 60 });
      const run = await start(agent);
      service.setTime(T0 + 61_500);
      const warned = {
        governance_action: 'warn',
        governance_reason: 'Mid-run: approaching timeout (61.5s/60s)',
      };
      expect(await call(run)).toEqual({ status: 'ok', count: 1, ...warned });
      service.setTime(T0 + 70_000);
      await call(run);
      const batch = { batch_id: crypto.randomUUID() };
      expect(await complete(run, batch)).toMatchObject({ governance_action: 'warn' });
      expect(await complete(run, batch)).toMatchObject({ governance_action: 'warn' });
      expect(
        (await evaluations({ run_id: run })).map((one) => [
          one.reason,
          one.evaluation_count,
          one.metadata,
        ]),
      ).toEqual([
        ['Run exceeded timeout (70s/60s)', 1, { duration: 70, timeout: 60 }],
        ['Mid-run: approaching timeout (70s/60s)', 2, { duration: 70, timeout: 60 }],
        ['Timeout set to 60s', 1, {}],
      ]);
      expect(await incidents({ run_id: run })).toMatchObject([
        {
          policy_id: policy.id,
          policy_name: policy.name,
          category: 'operations',
          action: 'warn',
          reason: 'Run exceeded timeout (70s/60s)',
          occurrences: 3,
        },
      ]);
      service.setTime(T0);
    });

    test('writing memory also counts as telemetry', async () => {
      service.setTime(T0);
      const { agent } = await policyFor('operations', { timeout_seconds: 60 });
      const run = await start(agent);
      service.setTime(T0 + 90_000);
      await service.byKey.memory.writeEpisodic({
        params: { run_id: run },
        body: { slot_name: 's', scope_key: agent, data: {} },
      });
      expect(await evaluations({ run_id: run, phase: 'mid_execution' })).toMatchObject([
        { action: 'warn', reason: 'Mid-run: approaching timeout (90s/60s)' },
      ]);
      service.setTime(T0);
    });

    test('the timeout at the start applies, whatever happens to the policy', async () => {
      service.setTime(T0);
      const { agent, policy } = await policyFor('operations', { timeout_seconds: 60 });
      const run = await start(agent);
      const params = { id: policy.id };
      await service.byKey.policies.updatePolicy({
        params,
        body: { rules: { timeout_seconds: 5 } },
      });
      service.setTime(T0 + 30_000);
      await complete(run);
      expect(await evaluations({ run_id: run, phase: 'after_workflow' })).toMatchObject([
        { action: 'allow', reason: 'Completed within timeout (30s/60s)' },
      ]);
      service.setTime(T0);
    });
  });

  test('a trace starts and ends a run for policies only once', async () => {
    service.setTime(undefined);
    const { agent } = await policyFor('operations', { timeout_seconds: 1 });
    const attributes = { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': agent };
    const trace = newTraceId();
    const send = (spans: TestSpan[]) =>
      fetch(`${service.urls.public}/api/v1/otel/v1/traces`, {
        method: 'POST',
        headers: { 'X-Svc-Key': API_KEY, 'Content-Type': 'application/json' },
        body: JSON.stringify(requestOf(spans.map((span) => ({ trace, ...span })))),
      });
    const root = { id: 'root', attributes, from: 0, to: 5000 };
    await send([{ id: 'call', parent: 'root', attributes, from: 1000, to: 2000 }]);
    await send([root]);
    await send([{ id: 'late', parent: 'root', attributes, from: 3000, to: 4000 }]);
    const recorded = await evaluations({ agent });
    expect(recorded.map(({ phase, reason }) => [phase, reason])).toEqual([
      ['after_workflow', 'Run exceeded timeout (5s/1s)'],
      ['mid_execution', expect.stringContaining('Mid-run: approaching timeout')],
      ['before_workflow', 'Timeout set to 1s'],
    ]);
    service.setTime(T0);
  });

  test('stored policy results are masked like everything that is recorded', async () => {
    const masking = {
      enabled: true,
      builtin: ['EMAIL' as const],
      keys: [],
      patterns: [],
    };
    await service.byOwner.settings.putRecordingSettings({
      body: { retention_days: null, masking },
    });
    const { agent } = await policyFor('audit', {});
    await check(agent, { inputs: { mail: 'a.b@example.com' } });
    const [kept] = await evaluations({ agent });
    expect(JSON.stringify(kept?.metadata)).toContain('##EMAIL##');
    expect(JSON.stringify(kept?.metadata)).not.toContain('a.b@example.com');
  });

  test('limits for end users are set, listed and removed', async () => {
    const { endUsers } = service.byKey;
    const params = { kind: 'user', id: 'c-1' } as const;
    const body = { monthly_budget: 12.5, requests_per_minute: null };
    expect(await endUsers.putEndUserLimits({ params, body })).toMatchObject({ ...params, ...body });
    expect(await endUsers.listEndUserLimits({ query: {} })).toMatchObject({ count: 1 });
    await endUsers.deleteEndUserLimits({ params });
    await expect(endUsers.deleteEndUserLimits({ params })).rejects.toMatchObject({ status: 404 });
  });
});

test('several control planes on one PostgreSQL server together admit exactly the limit', async () => {
  const env = { SECRET_KEY: 'the same secret key of both processes' };
  const one = await startTestControlPlane('postgres', env);
  const other = await startTestControlPlane('postgres', {
    ...env,
    DATABASE_URL: one.databaseUrl ?? '',
  });
  const body = {
    name: 'together',
    category: 'rate-limit',
    rules: { max_per_day: 41, max_concurrent: 500 },
    scope: { agents: ['shared'] },
  };
  try {
    const now = Date.now();
    one.setTime(now);
    other.setTime(now);
    await one.byKey.policies.createPolicy({ body });
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, i) =>
        (i % 2 ? one : other).byKey.evaluations.checkPolicy({ body: { agent_name: 'shared' } }),
      ),
    );
    expect(answers.filter(({ action }) => action === 'allow')).toHaveLength(41);
  } finally {
    await other.stop();
    await one.stop();
  }
});
