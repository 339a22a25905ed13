import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newTraceId, requestOf } from '../otel/spans.ts';
import { answerId, chatCapture } from '../support/captured-exchange.ts';
import { OWNER, startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import { databases } from '../support/databases.ts';
import { captureOf } from '../support/device-reports.ts';
import { enrollDevice, type TestDevice } from '../support/device.ts';

const HOSTS = ['api.openai.com', 'api.anthropic.com'];

describe.each(databases)('calls of captured exchanges on %s', (kind) => {
  let service: TestControlPlane;
  let device: TestDevice;
  let other: TestDevice;
  const now = Date.now();
  const iso = (seconds: number): string => new Date(now + seconds * 1000).toISOString();
  beforeAll(async () => {
    service = await startTestControlPlane(kind);
    service.setTime(now - 60_000);
    device = await enrollDevice(service, 'hardware-one', { userGroup: 'finance' });
    other = await enrollDevice(service, 'hardware-other');
    await service.byOwner.guard.putLayer({
      body: {
        layer: 'global',
        scope: null,
        config: { capture_enabled: true, intercept_hosts: HOSTS },
      },
    });
  });
  beforeEach(() => service.setTime(now + 60_000));
  afterEach(() => service.setTime(undefined));
  afterAll(() => service.stop());

  let batches = 0;
  /** Apps whose runs are to be of an agent of the same name. */
  const named = new Set<string>();
  const send = async ({ client }: TestDevice, ...captures: ReturnType<typeof captureOf>[]) => {
    for (const name of named)
      await service.byOwner.captures.putCaptureAgent({
        body: { device_id: null, app: name, agent_name: name },
      });
    named.clear();
    return client.device.reportCaptures({
      body: { batch_id: `batch-of-${(batches += 1)}`, captures },
    });
  };
  const runsOf = async (agent: string) => {
    const { results } = await service.byOwner.runs.listRuns({ query: { agent, limit: 100 } });
    return results;
  };
  const runOf = (id: number | undefined) =>
    service.byOwner.runs.getRun({ params: { id: String(id) } });
  const oneRun = async (agent: string) => {
    const runs = await runsOf(agent);
    expect(runs).toHaveLength(1);
    return runOf(runs[0]?.id);
  };
  const callsOf = async (agent: string) => {
    const { results, aggregates } = await service.byOwner.llmCalls.listLlmCalls({
      query: { agent, limit: 100 },
    });
    return { results, ...aggregates };
  };
  /** Of the latest capture of an app. */
  const captured = async (app: string) => {
    const { results } = await service.byOwner.captures.listCaptures({ query: { app } });
    return service.byOwner.captures.getCapture({ params: { id: results[0]?.id ?? '' } });
  };
  const record = async (agent_name: string, ...ids: (string | null)[]) => {
    const { run_id } = await service.byKey.recording.startRun({ body: { agent_name } });
    const calls = ids.map((response_id) => ({
      model: 'gpt-4o',
      tokens_in: 100,
      tokens_out: 10,
      response_id,
    }));
    await service.byKey.recording.recordLlmCalls({ params: { run_id }, body: { calls } });
    return Number(run_id);
  };
  const trace = async (agent: string, id: string) => {
    const attributes = {
      'gen_ai.operation.name': 'chat',
      'gen_ai.agent.name': agent,
      'gen_ai.response.model': 'gpt-4o',
      'gen_ai.response.id': id,
      'gen_ai.usage.input_tokens': 100,
      'gen_ai.usage.output_tokens': 10,
    };
    const body = requestOf([{ trace: newTraceId(), id: 'call', attributes }]);
    await service.byKey.otel.exportTraces({ body });
    return (await oneRun(agent)).id;
  };
  const app = (app_id: string, more: object = {}) => {
    named.add(app_id);
    return { more: { app_id, ...more } };
  };

  test('a chat becomes a run with its call, tools and cost, on its device and for its user', async () => {
    const chat = chatCapture('whole', iso(1), {
      id: answerId('whole'),
      tokens_in: 1000,
      tokens_out: 200,
      asked: { conversation_id: 'c-1' },
      ...app('whole', { ended_at: iso(3), user: 'grace' }),
    });
    const response = JSON.parse(chat.response_body) as { choices: object[]; usage: object };
    response.usage = {
      ...response.usage,
      prompt_tokens_details: { cached_tokens: 400 },
      completion_tokens_details: { reasoning_tokens: 64 },
    };
    const tool = { name: 'find_order', arguments: '{"number":7}' };
    response.choices = [
      {
        finish_reason: 'tool_calls',
        message: { content: 'Let me look.', tool_calls: [{ id: 'call_1', function: tool }] },
      },
    ];
    expect(await send(device, { ...chat, response_body: JSON.stringify(response) })).toEqual({
      accepted: 1,
      duplicate: false,
      refused: [],
    });
    const run = await oneRun('whole');
    const capture = await captured('whole');
    expect(run).toMatchObject({
      workflow_name: 'default',
      status: 'success',
      error: null,
      started_at: iso(1),
      completed_at: iso(3),
      duration: 2,
      session_id: `c-1@${device.id}`,
      user_id: 'grace',
      user_group: 'finance',
      tags: ['captured'],
      captured: { device_id: device.id, hostname: 'macbook-ada', capture_id: capture.id },
      metadata: {
        capture_id: capture.id,
        device_id: device.id,
        hostname: 'macbook-ada',
        app: 'whole',
        process: 'codex',
        host: 'api.openai.com',
        finish_reason: 'tool_calls',
        reasoning_tokens: 64,
      },
    });
    expect(capture.run_id).toBe(run.id);
    const [call] = run.llm_calls;
    expect(call).toMatchObject({
      model: 'gpt-4o-2024-08-06',
      provider: 'openai',
      task: 'chat',
      tokens_in: 1000,
      tokens_out: 200,
      cache_read_tokens: 400,
      cost: (600 * 2.5 + 400 * 1.25 + 200 * 10) / 1e6,
      cost_source: 'table',
      duration_ms: 2000,
      created_at: iso(3),
      prompt_preview: 'Where is my order?',
      response_preview: 'Let me look.',
    });
    const params = { call_id: String(call?.id) };
    expect((await service.byOwner.llmCalls.getLlmCall({ params })).response_id).toBe(
      answerId('whole'),
    );
    expect(run.spans).toMatchObject([
      {
        name: 'find_order',
        kind: 'tool',
        input_data: { number: 7 },
        attributes: { tool_call_id: 'call_1' },
      },
    ]);
    expect([run.tokens, run.cost, run.llm_call_count]).toEqual([1200, call?.cost, 1]);
    const session_id = run.session_id ?? '';
    const session = await service.byOwner.analytics.getSession({
      params: { session_id },
      query: {},
    });
    expect(session.aggregates).toMatchObject({ run_count: 1, total_duration: 2 });
    const user = await service.byOwner.analytics.getTrackedUser({
      params: { user_id: 'grace' },
      query: {},
    });
    expect(user.aggregates).toMatchObject({ run_count: 1, total_tokens: 1200 });
  });

  test.each([
    ['refused', { status: 429, response_body: '{"error":{"message":"Too many"}}' }, 'Too many'],
    ['silent', { status: null, response_body: null, response_type: null }, 'no response'],
    ['broken', { status: 502, response_body: '<html>' }, 'HTTP 502'],
  ])('a call that was %s is a run that failed', async (name, more, error) => {
    await send(device, chatCapture(name, iso(1), { id: null, ...app(name, more) }));
    const run = await oneRun(name);
    expect([run.status, run.error, run.llm_call_count, run.tokens]).toEqual(['error', error, 1, 0]);
    expect(run.llm_calls[0]).toMatchObject({ model: 'gpt-4o', cost: 0 });
  });

  test('of a body that was cut, the numbers count that the device took before', async () => {
    const cut = { response_body: null, response_truncated: true, model: 'gpt-4o' };
    const counted = app('cut', { ...cut, tokens_in: 70, tokens_out: 7 });
    await send(device, chatCapture('cut', iso(1), { id: null, ...counted }));
    expect((await oneRun('cut')).llm_calls[0]).toMatchObject({ tokens_in: 70, tokens_out: 7 });
  });

  test('impossible token counts cost nothing, and NUL in an answer is accepted', async () => {
    const absurd = chatCapture('absurd', iso(1), {
      id: `${answerId('absurd')}\0`,
      tokens_in: 1e15,
      tokens_out: 5,
      completion: 'a\0b\ud800c',
      asked: { model: '\0', conversation_id: 'x\0'.repeat(200) },
      ...app('absurd'),
    });
    expect((await send(device, absurd)).accepted).toBe(1);
    const [call] = (await oneRun('absurd')).llm_calls;
    expect(call).toMatchObject({ tokens_in: 0, tokens_out: 5, response_preview: 'ab�c' });
  });

  test('what is no call of an LLM is a capture and nothing else', async () => {
    const telemetry = captureOf('telemetry', iso(1), {
      app_id: 'telemetry',
      path: '/v1/traces',
      request_body: '{"events":[]}',
      response_body: '{}',
    });
    expect((await send(device, telemetry)).accepted).toBe(1);
    expect((await captured('telemetry')).run_id).toBeNull();
    expect(await runsOf('telemetry')).toEqual([]);
  });

  test('sent again, alone or in another batch, an exchange is one run', async () => {
    const chat = chatCapture('again', iso(1), { id: null, ...app('again') });
    await send(device, chat, chat);
    const body = { batch_id: `batch-of-${batches}`, captures: [chat, chat] };
    await device.client.device.reportCaptures({ body });
    await send(device, chat, chatCapture('again 2', iso(2), { id: null, ...app('again') }));
    expect(await runsOf('again')).toHaveLength(2);
    expect((await callsOf('again')).total_tokens).toBe(220);
  });

  test('two devices that name their conversations alike have sessions of their own', async () => {
    for (const [one, of] of [
      [device, 'one'],
      [other, 'other'],
      [device, 'one again'],
    ] as const)
      await send(
        one,
        chatCapture(of, iso(1), { id: null, asked: { session_id: 's' }, ...app('talk') }),
      );
    const runs = await runsOf('talk');
    const counts = Map.groupBy(runs, ({ session_id }) => session_id);
    expect([counts.get(`s@${device.id}`)?.length, counts.get(`s@${other.id}`)?.length]).toEqual([
      2, 1,
    ]);
  });

  describe('of which agent they are', () => {
    const put = (device_id: string | null, of: string | null, agent_name: string | null) =>
      service.byOwner.captures.putCaptureAgent({ body: { device_id, app: of, agent_name } });
    const remove = (query: { device_id?: string; app?: string }) =>
      service.byOwner.captures.deleteCaptureAgent({ query });
    let captures = 0;
    /** The agent of a new capture; null when it made no run. */
    const agentOf = async (by: TestDevice, more: object) => {
      captures += 1;
      const chat = chatCapture(`mapped ${captures}`, iso(10 + captures), { id: null, more });
      await send(by, chat);
      const { results } = await service.byOwner.captures.listCaptures({
        query: { device: by.id, limit: 100 },
      });
      const id = results.find(({ started_at }) => started_at === chat.started_at)?.id ?? '';
      const { run_id } = await service.byOwner.captures.getCapture({ params: { id } });
      return run_id === null ? null : (await runOf(run_id)).agent_name;
    };
    const codex = { app_id: 'codex-cli', process: 'node' };
    const rulesOf = async () =>
      (await service.byOwner.captures.listCaptureAgents({ query: { limit: 100 } })).results.filter(
        (rule) => rule.agent_name !== rule.app,
      );

    test('the most specific rule says it, for captures that come later', async () => {
      expect(await agentOf(device, codex)).toBe('codex-cli');
      expect(await agentOf(device, { app_id: null, process: 'node' })).toBe('captured');
      expect(await agentOf(device, { app_id: 'invented', process: 'node' })).toBe('captured');
      await put(null, null, 'everyone');
      await put(null, 'codex-cli', 'coding');
      await put(device.id, null, 'macbook');
      await put(device.id, 'codex-cli', 'coding on the macbook');
      expect(await agentOf(device, codex)).toBe('coding on the macbook');
      expect(await agentOf(device, { app_id: 'cursor' })).toBe('macbook');
      expect(await agentOf(other, codex)).toBe('coding');
      expect(await agentOf(other, { app_id: 'cursor' })).toBe('everyone');
      await put(device.id, 'codex-cli', null);
      expect(await agentOf(device, codex)).toBeNull();
      await remove({ device_id: device.id, app: 'codex-cli' });
      expect(await agentOf(device, codex)).toBe('macbook');
      expect((await oneRun('coding on the macbook')).agent_name).toBe('coding on the macbook');
      const rule = { updated_by: OWNER.email, updated_at: expect.any(String) as string };
      expect(await rulesOf()).toEqual([
        { device_id: null, app: null, agent_name: 'everyone', hostname: null, ...rule },
        { device_id: null, app: 'codex-cli', agent_name: 'coding', hostname: null, ...rule },
        {
          device_id: device.id,
          app: null,
          agent_name: 'macbook',
          hostname: 'macbook-ada',
          ...rule,
        },
      ]);
      for (const one of [{}, { app: 'codex-cli' }, { device_id: device.id }]) await remove(one);
      expect(await agentOf(device, codex)).toBe('codex-cli');
    });

    test('only what is there can be named, and only admins set it', async () => {
      const gone = { status: 404, message: 'there is no device dev_none' };
      await expect(put('dev_none', null, 'a')).rejects.toMatchObject(gone);
      await expect(remove({ app: 'never' })).rejects.toMatchObject({
        status: 404,
        message: 'no agent is configured for never on any device',
      });
      await expect(put(null, '', 'a')).rejects.toMatchObject({ status: 400 });
      await expect(put(null, null, '')).rejects.toMatchObject({ status: 400 });
      const user = { email: 'analyst@captured.test', password: OWNER.password };
      await service.byOwner.identity.createUser({
        body: { ...user, role: 'analyst', must_change_password: false },
      });
      const { token } = await service.by({}).identity.login({ body: user });
      const { captures: routes } = service.by({ Authorization: `Bearer ${token}` });
      const body = { device_id: null, app: null, agent_name: 'a' };
      expect((await routes.listCaptureAgents({ query: {} })).results).toBeInstanceOf(Array);
      expect(await rulesOf()).toEqual([]);
      await expect(routes.putCaptureAgent({ body })).rejects.toMatchObject({ status: 403 });
      await expect(routes.deleteCaptureAgent({ query: {} })).rejects.toMatchObject({ status: 403 });
    });
  });

  describe('that clients tell too', () => {
    test.each(['recording', 'OpenTelemetry'] as const)(
      'by %s before: nothing is recorded again, and the capture leads to the run',
      async (how) => {
        const [agent, of] = [`first by ${how}`, `second to ${how}`];
        const id = answerId(how);
        const run = await (how === 'recording' ? record(agent, id) : trace(agent, id));
        await send(device, chatCapture(of, iso(1), { id, ...app(of) }));
        expect(await runsOf(of)).toEqual([]);
        expect((await captured(of)).run_id).toBe(run);
        expect(await callsOf(agent)).toMatchObject({ total_calls: 1, total_tokens: 110 });
      },
    );

    test.each(['recording', 'OpenTelemetry'] as const)(
      'by %s afterwards: the run of the capture is withdrawn, out of all totals',
      async (how) => {
        const [agent, of] = [`late by ${how}`, `early to ${how}`];
        const id = answerId(`late ${how}`);
        const asked = { session_id: of };
        const more = app(of, { user: of });
        await send(device, chatCapture(of, iso(1), { id, asked, ...more }));
        const { id: early } = await oneRun(of);
        const run = await (how === 'recording' ? record(agent, id) : trace(agent, id));
        expect(await runsOf(of)).toEqual([]);
        await expect(runOf(early)).rejects.toMatchObject({ status: 404 });
        expect((await captured(of)).run_id).toBe(run);
        expect(await callsOf(agent)).toMatchObject({ total_calls: 1, total_tokens: 110 });
        expect(await callsOf(of)).toMatchObject({ total_calls: 0, total_tokens: 0 });
        const { byOwner } = service;
        const search = { query: { search: of } };
        expect((await byOwner.analytics.listSessions(search)).results).toEqual([]);
        expect((await byOwner.analytics.listTrackedUsers(search)).results).toEqual([]);
        await send(device, chatCapture(`${of} once more`, iso(2), { id, asked, ...more }));
        expect(await runsOf(of)).toEqual([]);
      },
    );

    test('twice, by the same means or another: the first stays', async () => {
      const id = answerId('by two');
      const run = await record('two', id, id, null, null);
      await record('two again', id);
      const traced = await trace('two traced', id);
      expect(await callsOf('two')).toMatchObject({ total_calls: 3 });
      expect(await callsOf('two again')).toMatchObject({ total_calls: 0 });
      expect((await runOf(traced)).llm_call_count).toBe(0);
      expect((await runOf(run)).tokens).toBe(330);
    });

    test('under an id that is short, and so not unique, are calls of their own', async () => {
      await record('short', 'chatcmpl-417', 'chatcmpl-417');
      await send(device, chatCapture('short', iso(1), { id: 'chatcmpl-417', ...app('short') }));
      expect(await callsOf('short')).toMatchObject({ total_calls: 3 });
    });
  });

  test('what the tenant masks is masked in all that is recorded', async () => {
    const { byOwner } = service;
    const settings = await byOwner.settings.getRecordingSettings();
    const masking = {
      enabled: true,
      builtin: ['EMAIL'] as ['EMAIL'],
      keys: [{ key: 'card', type: 'CARD' }],
      patterns: [{ name: 'ORDER', pattern: String.raw`order-\d+` }],
    };
    await byOwner.settings.putRecordingSettings({ body: { ...settings, masking } });
    const chat = chatCapture('masked', iso(1), {
      id: answerId('order-1234567'),
      prompt: 'I am ada@secret.example',
      completion: 'It is order-77.',
      asked: { session_id: 'ada@secret.example' },
      ...app('masked', { status: 400 }),
    });
    const response = JSON.parse(chat.response_body) as { choices: { message: object }[] };
    const tool = { name: 'pay', arguments: '{"card":"4111","for":"order-77"}' };
    Object.assign(response.choices[0]?.message ?? {}, { tool_calls: [{ function: tool }] });
    Object.assign(response, { error: { message: 'no ada@secret.example' } });
    await send(device, { ...chat, response_body: JSON.stringify(response) });
    const run = await oneRun('masked');
    expect(JSON.stringify(run)).not.toMatch(/secret|4111|order-77/);
    expect(run).toMatchObject({ error: 'no ##EMAIL##', session_id: null });
    expect(run.llm_calls[0]).toMatchObject({
      prompt_preview: 'I am ##EMAIL##',
      response_preview: 'It is ##ORDER##.',
    });
    expect(run.spans[0]?.input_data).toEqual({ card: '##CARD##', for: '##ORDER##' });
    // The id is taken as it was sent, or the call would be counted twice.
    await record('masked too', answerId('order-1234567'));
    expect(await runsOf('masked')).toEqual([]);
    await byOwner.settings.putRecordingSettings({ body: settings });
  });

  test('policies put what they find on the run’s record', async () => {
    await service.byKey.policies.createPolicy({
      body: {
        name: 'Brisk',
        category: 'operations',
        rules: { timeout_seconds: 5 },
        scope: { agents: ['slow'] },
      },
    });
    const slow = app('slow', { ended_at: iso(30) });
    await send(device, chatCapture('slow', iso(1), { id: null, ...slow }));
    const run = await oneRun('slow');
    expect(run.evaluations.map(({ reason }) => reason).toSorted()).toEqual([
      'Run exceeded timeout (29s/5s)',
      'Timeout set to 5s',
    ]);
    expect(run.incidents).toHaveLength(1);
  });
});
