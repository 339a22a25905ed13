import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import { databases } from '../support/databases.ts';

const HOUR_MS = 3_600_000;
const T0 = Date.parse('2026-03-02T10:00:00.000Z');

describe.each(databases)('incidents by cause on %s', (kind) => {
  let service: TestControlPlane;
  /** The id of an active user. */
  let user: string;
  beforeAll(async () => {
    service = await startTestControlPlane(kind);
    service.setTime(T0);
    const body = { email: 'ada@example.test', role: 'viewer' as const };
    user = (await service.byOwner.identity.createUser({ body })).id;
  });
  afterAll(() => service.stop());

  const incidents = () => service.byOwner.incidents;
  const groups = (query: object) => incidents().listIncidentGroups({ query });
  const list = async (query: object) => (await incidents().listIncidents({ query })).results;
  const update = (filter: object, changes: object) =>
    incidents().updateIncidents({ body: { filter, changes } });

  let made = 0;
  /** Creates an agent that may not use shells. */
  const newAgent = async (more: object = {}) => {
    const agent = `agent-${(made += 1)}`;
    await service.byKey.policies.createPolicy({
      body: {
        name: `No shells for ${agent}`,
        category: 'tool-allowlist',
        rules: { blocked_tools: ['shell', 'rm'] },
        scope: { agents: [agent] },
        ...more,
      },
    });
    return agent;
  };
  const start = async (agent_name: string) => {
    const { run_id } = await service.byKey.recording.startRun({ body: { agent_name } });
    return { run_id };
  };
  const useTool = (params: { run_id: string }, name = 'shell') =>
    service.byKey.recording.recordSpans({
      params,
      body: { spans: [{ name, kind: 'tool' }] },
    });
  const at = (ms: number) => service.setTime(T0 + ms);
  const iso = (ms: number) => new Date(T0 + ms).toISOString();

  test('one group per policy, agent and cause, with counts, times and trend', async () => {
    const agent = await newAgent({ severity: 'high' });
    at(0);
    for (let i = 0; i < 2; i += 1) await useTool(await start(agent));
    at(3 * HOUR_MS);
    const last = await start(agent);
    await useTool(last);
    await useTool(last);
    await useTool(await start(agent), 'rm');
    const found = await groups({ agent, start: iso(0), end: iso(4 * HOUR_MS), sort: 'incidents' });
    expect(found).toMatchObject({ count: 2, incident_count: 4, trend_seconds: 3600 });
    expect(found.trend_start).toBe(iso(0));
    const [rm, shell] = found.results;
    expect(shell).toMatchObject({
      incident_count: 3,
      occurrences: 4,
      open: 3,
      resolved: 0,
      severity: 'high',
      assignee_id: null,
      first_seen: iso(0),
      last_seen: iso(3 * HOUR_MS),
      trend: [2, 0, 0, 2],
    });
    expect(shell?.latest).toMatchObject({ run_id: Number(last.run_id), occurrences: 2 });
    expect(rm?.latest.reason).toContain("'rm'");
    expect(await list({ group: [String(rm?.group_id)] })).toHaveLength(1);
    at(0);
  });

  test('numbers in the reason do not separate causes', async () => {
    const agent = `slow-${(made += 1)}`;
    await service.byKey.policies.createPolicy({
      body: {
        name: agent,
        category: 'operations',
        rules: { timeout_seconds: 1 },
        scope: { agents: [agent] },
      },
    });
    for (const seconds of [10, 25]) {
      at(0);
      const params = await start(agent);
      at(seconds * 1000);
      await service.byKey.recording.completeRun({ params, body: {} });
    }
    at(0);
    const reasons = (await list({ agent })).map(({ reason }) => reason);
    expect(new Set(reasons).size).toBe(2);
    expect((await groups({ agent })).count).toBe(1);
  });

  test('groups are filtered by severity, status, assignee, text and range', async () => {
    const agent = await newAgent({ severity: 'low' });
    await useTool(await start(agent));
    await useTool(await start(agent), 'rm');
    const [first, second] = (await list({ agent })).map(({ id }) => id);
    await incidents().updateIncident({
      params: { id: String(first) },
      body: { severity: 'critical', assignee_id: user, note: 'Änderung 100%' },
    });
    const found = async (query: object) => (await list({ agent, ...query })).map(({ id }) => id);
    expect(await found({ severity: 'critical' })).toEqual([first]);
    expect(await found({ severity: 'low' })).toEqual([second]);
    expect(await found({ assignee: user })).toEqual([first]);
    expect(await found({ assignee: 'none' })).toEqual([second]);
    expect(await found({ search: 'änderung 100%' })).toEqual([first]);
    expect(await found({ search: "'SHELL'" })).toEqual([second]);
    expect(await found({ search: 'no such text' })).toEqual([]);
    expect(await found({ end: iso(0) })).toEqual([]);
    expect((await groups({ agent, severity: 'critical' })).results).toMatchObject([
      { assignee_id: user, assignee_count: 1, severity: 'critical' },
    ]);
    expect((await incidents().listAssignees()).results).toContainEqual({
      id: user,
      email: 'ada@example.test',
    });
  });

  test('a new incident has the current severity of its policy', async () => {
    const agent = await newAgent();
    await useTool(await start(agent));
    const [before] = await list({ agent });
    await service.byKey.policies.updatePolicy({
      params: { id: String(before?.policy_id) },
      body: { severity: 'critical' },
    });
    await useTool(await start(agent));
    expect((await list({ agent })).map(({ severity }) => severity)).toEqual(['critical', 'medium']);
  });

  test('everything that matches a filter changes at once, and each batch is audited', async () => {
    const agent = await newAgent();
    const other = await newAgent();
    for (let i = 0; i < 3; i += 1) await useTool(await start(agent));
    await useTool(await start(other));
    const before = await list({ agent });
    expect(await update({ agent, ids: [String(before[0]?.id)] }, { status: 'resolved' })).toEqual({
      changed: 1,
    });
    const changes = { status: 'acknowledged', assignee_id: user, note: 'known' };
    expect(await update({ agent, status: 'open' }, changes)).toEqual({ changed: 2 });
    expect((await list({ agent })).map(({ status }) => status)).toEqual([
      'resolved',
      'acknowledged',
      'acknowledged',
    ]);
    expect(await list({ agent, status: 'acknowledged' })).toMatchObject([changes, changes]);
    expect(await list({ agent: other })).toMatchObject([{ status: 'open', assignee_id: null }]);
    const { entries } = await service.byOwner.audit.listAuditEntries({
      query: { action: 'incident.update_many' },
    });
    expect(entries[0]?.metadata).toMatchObject({
      count: 2,
      after: changes,
      before: [
        { id: before[2]?.id, status: 'open', assignee_id: null },
        { id: before[1]?.id, status: 'open', assignee_id: null },
      ],
    });
  });

  test('several batches are changed, each incident once', async () => {
    const agent = await newAgent();
    const workflows = Array.from({ length: 501 }, (_, at) => `workflow-${at}`);
    const check = (workflow_name: string) =>
      service.byKey.evaluations.checkPolicy({
        body: { agent_name: agent, workflow_name, tools: ['shell'] },
      });
    await Promise.all(workflows.map(check));
    expect(await update({ agent }, { severity: 'critical' })).toEqual({ changed: 501 });
    expect((await groups({ agent })).results).toMatchObject([
      { incident_count: 501, severity: 'critical' },
    ]);
    expect((await groups({ agent, severity: 'medium' })).count).toBe(0);
  });

  test.each([
    [{}, /changes: expected/],
    [{ status: 'closed' }, /status/],
    [{ assignee_id: 'usr_unknown' }, /assignee_id: there is no active user usr_unknown/],
  ])('the changes %j are rejected', async (changes, message) => {
    await expect(update({ agent: 'none' }, changes)).rejects.toThrow(message);
  });

  describe('whether the agent obeyed a block', () => {
    const obeyed = async (agent: string) => (await list({ agent })).map((one) => one.obeyed);

    test('yes: nothing was recorded after the block, and the run ended', async () => {
      const agent = await newAgent();
      at(0);
      const params = await start(agent);
      await useTool(params);
      expect(await obeyed(agent)).toEqual(['unknown']);
      at(5000);
      await service.byKey.recording.completeRun({ params, body: { status: 'error' } });
      expect(await obeyed(agent)).toEqual(['yes']);
    });

    test('no: a call began after the block', async () => {
      const agent = await newAgent();
      at(0);
      const params = await start(agent);
      await useTool(params);
      at(5000);
      await service.byKey.recording.recordLlmCalls({
        params,
        body: { calls: [{ model: 'gpt-4o', tokens_in: 1, tokens_out: 1, duration_ms: 100 }] },
      });
      expect(await obeyed(agent)).toEqual(['no']);
    });

    test('unknown: a record shortly after the block may have begun before it', async () => {
      const agent = await newAgent();
      at(0);
      const params = await start(agent);
      await useTool(params);
      at(5000);
      await service.byKey.recording.recordSteps({ params, body: { steps: [{ step_name: 's' }] } });
      await service.byKey.recording.completeRun({ params, body: {} });
      expect(await obeyed(agent)).toEqual(['unknown']);
      at(0);
    });

    test('unknown if the check had no run; null for a warning', async () => {
      const agent = await newAgent();
      await service.byKey.evaluations.checkPolicy({
        body: { agent_name: agent, tools: ['shell'] },
      });
      expect(await obeyed(agent)).toEqual(['unknown']);
      const warned = await newAgent({ mode: 'warn' });
      await useTool(await start(warned));
      expect(await list({ agent: warned })).toMatchObject([{ action: 'warn', obeyed: null }]);
    });
  });

  test('a blocked tool call is linked', async () => {
    const agent = await newAgent();
    const params = await start(agent);
    await service.byKey.recording.recordLlmCalls({
      params,
      body: { calls: [{ model: 'gpt-4o', tokens_in: 1, tokens_out: 1 }] },
    });
    await useTool(params);
    const { spans } = await service.byOwner.runs.getRun({ params: { id: params.run_id } });
    const [incident] = await list({ agent });
    expect(incident?.record).toEqual({ kind: 'tool', id: String(spans[0]?.id) });
    const { record } = await incidents().getIncident({ params: { id: String(incident?.id) } });
    expect(record).toEqual(incident?.record);
  });

  test('the file contains the incidents that match a filter', async () => {
    const agent = await newAgent();
    await useTool(await start(agent));
    const [incident] = await list({ agent });
    await incidents().updateIncident({
      params: { id: String(incident?.id) },
      body: { assignee_id: user },
    });
    const text = await incidents().exportIncidents({ query: { agent, format: 'jsonl' } });
    expect(
      text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual([
      expect.objectContaining({
        id: incident?.id,
        agent_name: agent,
        assignee: 'ada@example.test',
      }),
    ]);
    const csv = await incidents().exportIncidents({ query: { agent, format: 'csv' } });
    expect(csv).toMatch(/^"id","group_id",/);
  });
});

describe.each(databases)('a policy that only warns on %s', (kind) => {
  let service: TestControlPlane;
  beforeAll(async () => void (service = await startTestControlPlane(kind)));
  afterAll(() => service.stop());

  test('stops nothing, requests no approval, and returns the action it would have taken', async () => {
    const rules = { require_approval_for: ['deploy'] };
    const body = { name: 'Ask first', category: 'approval', rules, mode: 'warn' as const };
    const { id } = await service.byKey.policies.createPolicy({ body });
    const check = () =>
      service.byKey.evaluations.checkPolicy({
        body: { agent_name: 'release', action_type: 'deploy' },
      });
    expect(await check()).toMatchObject({ action: 'warn', metadata: { would_have: 'block' } });
    const requests = await service.byOwner.approvals.listApprovals({ query: {} });
    expect(requests.count).toBe(0);
    await service.byKey.policies.updatePolicy({ params: { id }, body: { mode: 'enforce' } });
    expect(await check()).toMatchObject({ action: 'block' });
  });
});
