import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { API_KEY, startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import { databases } from '../support/databases.ts';

describe.each(databases)('recording on %s', (kind) => {
  let service: TestControlPlane;
  beforeAll(async () => {
    service = await startTestControlPlane(kind);
  });
  afterAll(() => service.stop());

  const startRun = async (): Promise<string> => {
    const { run_id } = await service.byKey.recording.startRun({ body: { agent_name: 'a' } });
    return run_id;
  };

  test('a run is recorded and read back as sent', async () => {
    const at = Date.parse('2026-03-01T10:00:00.000Z');
    service.setTime(at);
    const started = await service.byKey.recording.startRun({
      body: {
        agent_name: 'support',
        workflow_name: 'triage',
        inputs: { ticket: 7 },
        metadata: { user_id: 'u-1', plan: 'pro' },
        session_id: 's-1',
        trace_id: 't-1',
        tags: ['eu'],
      },
    });
    expect(started).toEqual({
      run_id: expect.stringMatching(/^\d+$/) as string,
      workflow_id: expect.stringMatching(/^wf_\d+$/) as string,
      started_at: '2026-03-01T10:00:00.000Z',
    });
    const params = { run_id: started.run_id };
    const { recording } = service.byKey;
    expect([
      await recording.recordLlmCalls({
        params,
        body: {
          calls: [
            {
              model: 'gpt-4o',
              tokens_in: 1000,
              tokens_out: 500,
              prompt_preview: 'Hi',
              task: 'sort',
            },
            { model: 'own-model-7b', tokens_in: 10, tokens_out: 5 },
            { model: 'gpt-4o', tokens_in: 10, tokens_out: 5, cost: 0.5 },
          ],
        },
      }),
      await recording.recordSteps({
        params,
        body: { steps: [{ step_name: 'look', output: { n: 1 } }] },
      }),
      await recording.recordSpans({
        params,
        body: {
          spans: [
            { name: 'search', kind: 'retrieval', duration_ms: 12, attributes: { top_k: 3 } },
            {
              name: 'send',
              kind: 'tool',
              status: 'error',
              duration_ms: null,
              input_data: { to: 'x' },
            },
          ],
        },
      }),
      await recording.recordScores({
        params,
        body: {
          scores: [
            { name: 'quality', numeric_value: 0.9, comment: 'fine' },
            { name: 'solved', data_type: 'boolean', string_value: true },
          ],
        },
      }),
    ]).toEqual([
      { status: 'ok', count: 3 },
      { status: 'ok', count: 1 },
      { status: 'ok', count: 2 },
      { recorded: 2 },
    ]);
    service.setTime(at + 2500);
    const completed = await recording.completeRun({
      params,
      body: { result: { done: true }, steps: [{ step_name: 'end' }] },
    });
    expect(completed).toEqual({
      status: 'ok',
      governance_action: 'allow',
      should_retry: false,
      retry_feedback: null,
      max_retries: 0,
    });
    service.setTime(undefined);

    const run = await service.byOwner.runs.getRun({ params: { id: started.run_id } });
    expect(run).toMatchObject({
      id: Number(started.run_id),
      agent_name: 'support',
      workflow_name: 'triage',
      workflow_id: started.workflow_id,
      trace_id: 't-1',
      session_id: 's-1',
      user_id: 'u-1',
      user_group: null,
      tags: ['eu'],
      inputs: { ticket: 7 },
      metadata: { user_id: 'u-1', plan: 'pro' },
      result: { done: true },
      error: null,
      status: 'success',
      started_at: '2026-03-01T10:00:00.000Z',
      completed_at: '2026-03-01T10:00:02.500Z',
      duration: 2.5,
      llm_call_count: 3,
      tokens: 1530,
      llm_calls: [
        {
          model: 'gpt-4o',
          cost: 0.0075,
          total_tokens: 1500,
          task: 'sort',
          prompt_preview: 'Hi',
          response_preview: '',
        },
        { model: 'own-model-7b', cost: 0, total_tokens: 15, task: null },
        { model: 'gpt-4o', cost: 0.5, total_tokens: 15 },
      ],
      steps: [
        { step_name: 'look', output: { n: 1 } },
        { step_name: 'end', output: null },
      ],
      spans: [
        {
          name: 'search',
          kind: 'retriever',
          status: 'ok',
          duration_ms: 12,
          position: 0,
        },
        {
          name: 'send',
          kind: 'tool',
          status: 'error',
          duration_ms: null,
          position: 0,
        },
      ],
      scores: [
        {
          name: 'quality',
          data_type: 'numeric',
          source: 'sdk',
          numeric_value: 0.9,
          comment: 'fine',
        },
        { name: 'solved', data_type: 'boolean', source: 'sdk', string_value: 'true' },
      ],
    });
    expect(run.cost).toBeCloseTo(0.5075, 10);
    expect(run.counts).toEqual({
      llm_calls: 3,
      steps: 2,
      spans: 2,
      scores: 2,
      evaluations: 0,
      incidents: 0,
    });
    const carried = await Promise.all(
      run.spans.map(({ id }) =>
        service.byOwner.runs.getSpan({ params: { id: started.run_id, span_id: String(id) } }),
      ),
    );
    expect(
      carried.map(({ attributes, input_data, output_data }) => [
        attributes,
        input_data,
        output_data,
      ]),
    ).toEqual([
      [{ top_k: 3 }, null, null],
      [null, { to: 'x' }, null],
    ]);
  });

  test.each([
    [{ numeric_value: 0.5 }, [0.5, null]],
    [{ value: 2 }, [2, null]],
    [{}, [null, null]],
    [{ numeric_value: null, comment: null, data_type: null }, [null, null]],
    [{ data_type: 'categorical', string_value: 'good' }, [null, 'good']],
    [{ data_type: 'categorical', value: 'good' }, [null, 'good']],
    [{ data_type: 'boolean', string_value: 'True' }, [null, 'true']],
    [{ data_type: 'boolean', string_value: false }, [null, 'false']],
    [{ data_type: 'boolean', numeric_value: true }, [null, 'true']],
    [{ data_type: 'boolean', numeric_value: 0 }, [null, 'false']],
  ] as const)('a score %j is stored as %j', async (given, expected) => {
    const params = { run_id: await startRun() };
    await service.byKey.recording.recordScores({
      params,
      body: { scores: [{ name: 'q', ...given }] },
    });
    const run = await service.byOwner.runs.getRun({ params: { id: params.run_id } });
    expect(run.scores.map((score) => [score.numeric_value, score.string_value])).toEqual([
      expected,
    ]);
  });

  test.each([
    [{ string_value: 'good' }, 'scores[0].numeric_value: expected a number'],
    [{ value: 'good' }, 'scores[0].numeric_value: expected a number'],
    [{ numeric_value: 'a' }, 'scores[0].numeric_value: expected a number between -1e15 and 1e15'],
    [{ string_value: {} }, 'scores[0].string_value: expected a text of at most 200 characters'],
    [{ value: {} }, 'scores[0].value: expected a number between -1e15 and 1e15, a text'],
    [{ data_type: 'categorical', numeric_value: 3 }, 'scores[0].string_value: expected some text'],
    [{ data_type: 'boolean', string_value: 'maybe' }, 'scores[0].string_value: expected true'],
    [{ data_type: 'boolean', numeric_value: 3 }, 'scores[0].string_value: expected true or false'],
  ])('a score %j is rejected', async (given, line) => {
    const params = { run_id: await startRun() };
    const body = { scores: [{ name: 'q', ...given }] };
    const refused = service.byKey.recording.recordScores({ params, body: body as never });
    await expect(refused).rejects.toThrow(line);
  });

  test('a parent that is not the id of a run is rejected', async () => {
    const body = { agent_name: 'a', parent_run_id: 'abc' };
    const refused = service.byKey.recording.startRun({ body });
    await expect(refused).rejects.toThrow('parent_run_id: expected the id of a run');
  });

  test('null is equal to an omitted field for every optional field', async () => {
    const { recording } = service.byKey;
    const nothing = <K extends string>(...names: K[]) =>
      Object.fromEntries(names.map((name) => [name, null])) as Record<K, null>;
    const { run_id } = await recording.startRun({
      body: {
        agent_name: 'a',
        ...nothing('workflow_name', 'inputs', 'metadata', 'trace_id', 'session_id', 'user_id'),
        ...nothing('user_group', 'tags', 'parent_run_id', 'started_at', 'batch_id'),
      },
    });
    const params = { run_id };
    const call = { model: 'gpt-4o', tokens_in: 1000, tokens_out: 500 };
    await recording.recordLlmCalls({
      params,
      body: {
        calls: [
          {
            ...call,
            ...nothing('cost', 'task', 'provider', 'prompt_preview', 'response_preview'),
            ...nothing('cache_read_tokens', 'cache_write_tokens', 'duration_ms', 'created_at'),
            ...nothing('prompt_hash'),
          },
        ],
      },
    });
    await recording.recordSteps({ params, body: { steps: [{ step_name: 's', output: null }] } });
    await recording.recordSpans({
      params,
      body: {
        spans: [
          {
            name: 't',
            kind: 'tool',
            ...nothing('status', 'duration_ms', 'position', 'attributes', 'input_data'),
            ...nothing('output_data'),
          },
        ],
      },
    });
    const end = nothing('result', 'status', 'error', 'steps', 'completed_at');
    await recording.completeRun({ params, body: end });
    expect(await service.byOwner.runs.getRun({ params: { id: run_id } })).toMatchObject({
      workflow_name: 'default',
      session_id: null,
      status: 'success',
      error: null,
      cost: 0.0075,
      steps: [{ output: null }],
      spans: [{ status: 'ok' }],
    });
  });

  test('the last activity of a session is its last step or span, not a later score', async () => {
    const { recording } = service.byKey;
    const session = { session_id: `seen-${kind}`, user_id: `seen-${kind}` };
    const at = Date.parse('2026-03-02T10:00:00.000Z');
    const clock = (hours: number) => service.setTime(at + hours * 3_600_000);
    clock(0);
    const { run_id } = await recording.startRun({ body: { agent_name: 'a', ...session } });
    const params = { run_id };
    const seen = async (): Promise<unknown[]> => {
      const { analytics } = service.byOwner;
      const sessions = await analytics.listSessions({ query: { search: session.session_id } });
      const users = await analytics.listTrackedUsers({ query: { search: session.user_id } });
      return [sessions.results[0]?.last_activity, users.results[0]?.last_seen];
    };
    const time = (hours: number) => Array(2).fill(new Date(at + hours * 3_600_000).toISOString());
    clock(1);
    await recording.recordSteps({ params, body: { steps: [{ step_name: 's' }] } });
    expect(await seen()).toEqual(time(1));
    clock(2);
    await recording.recordSpans({ params, body: { spans: [{ name: 't', kind: 'tool' }] } });
    expect(await seen()).toEqual(time(2));
    clock(3);
    await recording.recordScores({ params, body: { scores: [{ name: 'n', value: 1 }] } });
    expect(await seen()).toEqual(time(2));
    service.setTime(undefined);
  });

  test('spans without a position are listed in order of arrival, across requests', async () => {
    const params = { run_id: await startRun() };
    const names = Array.from({ length: 6 }, (_, i) => `s${i}`);
    for (const pair of [names.slice(0, 2), names.slice(2, 4), names.slice(4)])
      await service.byKey.recording.recordSpans({
        params,
        body: { spans: pair.map((name) => ({ name, kind: 'tool' })) },
      });
    const run = await service.byOwner.runs.getRun({ params: { id: params.run_id } });
    expect(run.spans.map(({ name }) => name)).toEqual(names);
  });

  test('the list is newest first, filtered and paged with absolute links', async () => {
    const agent = `pager-${kind}`;
    for (let i = 0; i < 5; i += 1)
      await service.byKey.recording.startRun({ body: { agent_name: agent } });
    const { listRuns } = service.byOwner.runs;
    const first = await listRuns({ query: { agent, limit: 2 } });
    const second = (await (
      await fetch(first.next ?? '', { headers: await ownerHeaders() })
    ).json()) as typeof first;
    expect({
      count: first.count,
      previous: first.previous,
      next: new URL(first.next ?? '').search,
      back: new URL(second.previous ?? '').search,
    }).toEqual({
      count: 5,
      previous: null,
      next: `?agent=${agent}&limit=2&offset=2`,
      back: `?agent=${agent}&limit=2&offset=0`,
    });
    const ids = [...first.results, ...second.results].map((run) => run.id);
    expect(ids).toEqual(ids.toSorted((a, b) => b - a));
    expect((await listRuns({ query: { agent, status: 'success' } })).count).toBe(0);
    expect((await listRuns({ query: { agent, limit: 5000 } })).results).toHaveLength(5);
  });

  const ownerHeaders = async () => {
    const { token } = await service.by({}).identity.login({
      body: { email: 'owner@example.test', password: 'correct horse battery' },
    });
    return { Authorization: `Bearer ${token}` };
  };

  test('completing twice is a conflict; late telemetry is accepted', async () => {
    const params = { run_id: await startRun() };
    const { recording } = service.byKey;
    await recording.completeRun({ params, body: { status: 'error', error: 'boom' } });
    await expect(recording.completeRun({ params, body: {} })).rejects.toMatchObject({
      status: 409,
    });
    await recording.recordSteps({ params, body: { steps: [{ step_name: 'late' }] } });
    const run = await service.byOwner.runs.getRun({ params: { id: params.run_id } });
    expect(run).toMatchObject({ status: 'error', error: 'boom', steps: [{ step_name: 'late' }] });
  });

  const key = { 'X-Svc-Key': API_KEY };
  const post = (path: string, body: string, headers: Record<string, string> = key) =>
    fetch(`${service.urls.public}${path}`, { method: 'POST', body, headers });

  test('recorded objects may have members with any name', async () => {
    const body = '{"agent_name":"a","metadata":{"__proto__":{"kept":1},"n":1}}';
    expect((await post('/api/v1/observe/runs/start/', body)).status).toBe(201);
  });

  test('paths work without the trailing slash', async () => {
    const response = await post('/api/v1/observe/runs/start', '{"agent_name":"a"}');
    expect(response.status).toBe(201);
  });

  test.each([
    ['no key', {}, 401],
    ['an unknown key', { 'X-Svc-Key': 'svc_sk_unknown' }, 401],
    ['the key as bearer', { Authorization: `Bearer ${API_KEY}` }, 201],
  ])('a request with %s is authenticated or refused', async (_name, headers, status) => {
    const response = await post('/api/v1/observe/runs/start/', '{"agent_name":"a"}', headers);
    expect(response.status).toBe(status);
  });
});
