import { describe, expect, test } from 'vitest';
import { responseId, chatCapture } from '../support/captured-exchange.ts';
import { databases } from '../support/databases.ts';
import { captureOf } from '../support/device-reports.ts';
import { setUpCapturedCalls } from '../support/captured-calls.ts';

describe.each(databases)('calls of captured exchanges on %s', (kind) => {
  const world = setUpCapturedCalls(kind);
  const { iso, send, runsOf, oneRun, callsOf, captured, record, app } = world;

  test('a chat becomes a run with its call, tools and cost, on its device and for its user', async () => {
    const chat = chatCapture('whole', iso(1), {
      id: responseId('whole'),
      tokens_in: 1000,
      tokens_out: 200,
      requestFields: { conversation_id: 'c-1' },
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
    expect(await send(world.device, { ...chat, response_body: JSON.stringify(response) })).toEqual({
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
      session_id: `c-1@${world.device.id}`,
      user_id: 'grace',
      user_group: 'finance',
      tags: ['captured'],
      captured: { device_id: world.device.id, hostname: 'macbook-ada', capture_id: capture.id },
      metadata: {
        capture_id: capture.id,
        device_id: world.device.id,
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
    expect((await world.service.byOwner.llmCalls.getLlmCall({ params })).response_id).toBe(
      responseId('whole'),
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
    const session = await world.service.byOwner.analytics.getSession({
      params: { session_id },
      query: {},
    });
    expect(session.aggregates).toMatchObject({ run_count: 1, total_duration: 2 });
    const user = await world.service.byOwner.analytics.getTrackedUser({
      params: { user_id: 'grace' },
      query: {},
    });
    expect(user.aggregates).toMatchObject({ run_count: 1, total_tokens: 1200 });
  });

  test.each([
    ['refused', { status: 429, response_body: '{"error":{"message":"Too many"}}' }, 'Too many'],
    ['silent', { status: null, response_body: null, response_type: null }, 'no response'],
    ['broken', { status: 502, response_body: '<html>' }, 'HTTP 502'],
  ])('a call that was %s becomes a failed run', async (name, more, error) => {
    await send(world.device, chatCapture(name, iso(1), { id: null, ...app(name, more) }));
    const run = await oneRun(name);
    expect([run.status, run.error, run.llm_call_count, run.tokens]).toEqual(['error', error, 1, 0]);
    expect(run.llm_calls[0]).toMatchObject({ model: 'gpt-4o', cost: 0 });
  });

  test('for a truncated body, the token counts from the device are used', async () => {
    const cut = { response_body: null, response_truncated: true, model: 'gpt-4o' };
    const counted = app('cut', { ...cut, tokens_in: 70, tokens_out: 7 });
    await send(world.device, chatCapture('cut', iso(1), { id: null, ...counted }));
    expect((await oneRun('cut')).llm_calls[0]).toMatchObject({ tokens_in: 70, tokens_out: 7 });
  });

  test('impossible token counts cost nothing, and NUL in an answer is accepted', async () => {
    const absurd = chatCapture('absurd', iso(1), {
      id: `${responseId('absurd')}\0`,
      tokens_in: 1e15,
      tokens_out: 5,
      completion: 'a\0b\ud800c',
      requestFields: { model: '\0', conversation_id: 'x\0'.repeat(200) },
      ...app('absurd'),
    });
    expect((await send(world.device, absurd)).accepted).toBe(1);
    const [call] = (await oneRun('absurd')).llm_calls;
    expect(call).toMatchObject({ tokens_in: 0, tokens_out: 5, response_preview: 'ab�c' });
  });

  test('an exchange that is not an LLM call creates no run', async () => {
    const telemetry = captureOf('telemetry', iso(1), {
      app_id: 'telemetry',
      path: '/v1/traces',
      request_body: '{"events":[]}',
      response_body: '{}',
    });
    expect((await send(world.device, telemetry)).accepted).toBe(1);
    expect((await captured('telemetry')).run_id).toBeNull();
    expect(await runsOf('telemetry')).toEqual([]);
  });

  test('an exchange that is sent again, alone or in another batch, is one run', async () => {
    const chat = chatCapture('again', iso(1), { id: null, ...app('again') });
    await send(world.device, chat, chat);
    const body = { batch_id: `batch-of-${world.batches}`, captures: [chat, chat] };
    await world.device.client.device.reportCaptures({ body });
    await send(world.device, chat, chatCapture('again 2', iso(2), { id: null, ...app('again') }));
    expect(await runsOf('again')).toHaveLength(2);
    expect((await callsOf('again')).total_tokens).toBe(220);
  });

  test('equal session ids from two devices are separate sessions', async () => {
    for (const [one, of] of [
      [world.device, 'one'],
      [world.other, 'other'],
      [world.device, 'one again'],
    ] as const)
      await send(
        one,
        chatCapture(of, iso(1), { id: null, requestFields: { session_id: 's' }, ...app('talk') }),
      );
    const runs = await runsOf('talk');
    const counts = Map.groupBy(runs, ({ session_id }) => session_id);
    expect([
      counts.get(`s@${world.device.id}`)?.length,
      counts.get(`s@${world.other.id}`)?.length,
    ]).toEqual([2, 1]);
  });

  test("the tenant's masking applies to everything recorded from a capture", async () => {
    const { byOwner } = world.service;
    const settings = await byOwner.settings.getRecordingSettings();
    const masking = {
      enabled: true,
      builtin: ['EMAIL'] as ['EMAIL'],
      keys: [{ key: 'card', type: 'CARD' }],
      patterns: [{ name: 'ORDER', pattern: String.raw`order-\d+` }],
    };
    await byOwner.settings.putRecordingSettings({ body: { ...settings, masking } });
    const chat = chatCapture('masked', iso(1), {
      id: responseId('order-1234567'),
      prompt: 'I am ada@secret.example',
      completion: 'It is order-77.',
      requestFields: { session_id: 'ada@secret.example' },
      ...app('masked', { status: 400 }),
    });
    const response = JSON.parse(chat.response_body) as { choices: { message: object }[] };
    const tool = { name: 'pay', arguments: '{"card":"4111","for":"order-77"}' };
    Object.assign(response.choices[0]?.message ?? {}, { tool_calls: [{ function: tool }] });
    Object.assign(response, { error: { message: 'no ada@secret.example' } });
    await send(world.device, { ...chat, response_body: JSON.stringify(response) });
    const run = await oneRun('masked');
    expect(JSON.stringify(run)).not.toMatch(/secret|4111|order-77/);
    expect(run).toMatchObject({ error: 'no ##EMAIL##', session_id: null });
    expect(run.llm_calls[0]).toMatchObject({
      prompt_preview: 'I am ##EMAIL##',
      response_preview: 'It is ##ORDER##.',
    });
    expect(run.spans[0]?.input_data).toEqual({ card: '##CARD##', for: '##ORDER##' });
    // The id is not masked: otherwise the call would be counted twice.
    await record('masked too', responseId('order-1234567'));
    expect(await runsOf('masked')).toEqual([]);
    await byOwner.settings.putRecordingSettings({ body: settings });
  });

  test('policy verdicts are recorded on the run', async () => {
    await world.service.byKey.policies.createPolicy({
      body: {
        name: 'Brisk',
        category: 'operations',
        rules: { timeout_seconds: 5 },
        scope: { agents: ['slow'] },
      },
    });
    const slow = app('slow', { ended_at: iso(30) });
    await send(world.device, chatCapture('slow', iso(1), { id: null, ...slow }));
    const run = await oneRun('slow');
    expect(run.evaluations.map(({ reason }) => reason).toSorted()).toEqual([
      'Run exceeded timeout (29s/5s)',
      'Timeout set to 5s',
    ]);
    expect(run.incidents).toHaveLength(1);
  });
});
