import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findPromptHashes } from '#control-plane/otel/calls/call-queries.ts';
import { databases } from '../support/databases.ts';
import { startTwoTenants, type TwoTenants } from '../support/two-tenants.ts';
import { newTraceId, requestOf, spanId, START, type TestSpan } from './spans.ts';
import { runOfTrace } from './stored.ts';

const MINUTE_MS = 60_000;
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const chat = (span: Partial<TestSpan> & { id: string }): TestSpan => ({
  ...span,
  attributes: {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'openai',
    'gen_ai.request.model': 'gpt-4o',
    'gen_ai.usage.input_tokens': 1000,
    'gen_ai.usage.output_tokens': 500,
    ...span.attributes,
  },
});
const agent = (span: Partial<TestSpan> & { id: string }): TestSpan => ({
  ...span,
  attributes: { 'gen_ai.operation.name': 'invoke_agent', ...span.attributes },
});

describe.each(databases)('traces on %s', (kind) => {
  let service: TwoTenants;
  let time = START + MINUTE_MS;
  const passes = (ms: number): void => service.setTime((time += ms));
  beforeAll(async () => {
    service = await startTwoTenants(kind);
    passes(0);
  });
  afterAll(() => service.stop());

  let services = 0;
  /** A trace of a service of its own. */
  const newTrace = (tenant: 'one' | 'other' = 'one', trace = newTraceId()) => {
    const name = `svc-${(services += 1)}`;
    const { byKey, byOwner } = service[tenant];
    return {
      name,
      send: (...spans: TestSpan[]) =>
        byKey.otel.exportTraces({
          body: requestOf(spans, { trace, resource: { 'service.name': name } }),
        }),
      run: async (agentName = name) => {
        const run = await runOfTrace({ byOwner }, trace, [agentName]);
        return run as NonNullable<typeof run>;
      },
    };
  };
  const spanOf = (run: { id: number }, { id }: { id: number }) =>
    service.one.byOwner.runs.getSpan({ params: { id: String(run.id), span_id: String(id) } });

  test('the first span of an AI agent starts a run, the root completes it', async () => {
    const { send, run } = newTrace();
    await send(chat({ id: 'call', parent: 'root', from: 100, to: 900 }));
    expect(await run()).toMatchObject({ status: 'running', completed_at: null, duration: null });
    await send({ id: 'root', name: 'POST /ask', from: 0, to: 2000, error: 'gave up' });
    expect(await run()).toMatchObject({
      status: 'error',
      error: 'gave up',
      started_at: new Date(START).toISOString(),
      duration: 2,
      metadata: { root_span: 'POST /ask' },
      spans: [],
      llm_calls: [{ duration_ms: 800, created_at: new Date(START + 900).toISOString() }],
    });
  });

  test('the root may come before anything of an AI agent', async () => {
    const { send, run } = newTrace();
    await send({ id: 'root', from: 0, to: 2000, attributes: { 'session.id': 's-early' } });
    await send(chat({ id: 'call', parent: 'root', from: 100, to: 900 }));
    expect(await run()).toMatchObject({ status: 'success', duration: 2, session_id: 's-early' });
  });

  test('who it belongs to may become known later, and totals follow', async () => {
    const { name, send, run } = newTrace();
    await send(chat({ id: 'call', parent: 'root', from: 100, to: 900 }));
    const found = async (of: string) => {
      const asked = { query: { search: 'gpt-4o', agent: of } };
      return (await service.one.byOwner.llmCalls.listLlmCalls(asked)).count;
    };
    expect(await found(name)).toBe(1);
    const own = { 'gen_ai.agent.name': `${name}-agent`, 'session.id': name, 'user.id': name };
    await send(agent({ id: 'root', to: 2000, attributes: own }));
    expect([await found(name), await found(`${name}-agent`)]).toEqual([0, 1]);
    const query = { query: { search: name } };
    const { byOwner } = service.one;
    const { results: sessions } = await byOwner.analytics.listSessions(query);
    const { results: users } = await byOwner.analytics.listTrackedUsers(query);
    const totals = { run_count: 1, total_tokens: 1500, total_duration: 2 };
    expect([sessions, users]).toMatchObject([
      [{ session_id: name, agents: [`${name}-agent`], ...totals }],
      [{ user_id: name, run_count: 1, total_tokens: 1500 }],
    ]);
    const moved = await run(`${name}-agent`);
    expect(moved.llm_calls).toMatchObject([{ agent_name: `${name}-agent` }]);
    expect((await byOwner.runs.listRuns({ query: { agent: name } })).count).toBe(0);
  });

  test('a span that another service called is the uppermost one here', async () => {
    const { send, run } = newTrace();
    await send(chat({ id: 'call', parent: 'entry' }));
    await send(agent({ id: 'entry', parent: 'far away', to: 3000, flags: 0x300 }));
    expect(await run()).toMatchObject({ status: 'success', duration: 3 });
  });

  test('what an agent got and gave stands on its run', async () => {
    const { send, run } = newTrace();
    const attributes = { 'input.value': '{"question":"why?"}', 'output.value': 'because' };
    await send(agent({ id: 'root', attributes }));
    expect(await run()).toMatchObject({
      inputs: { question: 'why?' },
      result: { value: 'because' },
    });
  });

  test('a call alone is a run', async () => {
    const { send, run } = newTrace();
    await send(
      chat({ id: 'call', attributes: { 'gen_ai.prompt': 'Hi', 'gen_ai.completion': 'Yo' } }),
    );
    expect(await run()).toMatchObject({
      status: 'success',
      inputs: { prompt_preview: 'Hi' },
      result: { response_preview: 'Yo' },
      llm_calls: [{ prompt_preview: 'Hi', response_preview: 'Yo', prompt_hash: sha256('Hi') }],
      cost: 0.0075,
    });
  });

  test('kinds of spans, with what they carry', async () => {
    const { send, run } = newTrace();
    await send(
      agent({ id: 'root', from: 0 }),
      {
        id: 'tool',
        parent: 'root',
        from: 1,
        attributes: {
          'openinference.span.kind': 'TOOL',
          'tool.name': 'search',
          'input.value': '{"q":1}',
          'gen_ai.tool.type': 'function',
        },
        error: 'not found',
      },
      {
        id: 'docs',
        parent: 'root',
        from: 2,
        attributes: { 'gen_ai.operation.name': 'retrieval', 'gen_ai.retrieval.query.text': 'q' },
      },
      {
        id: 'guard',
        parent: 'root',
        from: 3,
        attributes: { 'openinference.span.kind': 'GUARDRAIL' },
      },
      { id: 'db', parent: 'tool', from: 4, attributes: { 'db.system': 'postgresql' } },
    );
    const stored = await run();
    expect(stored.spans.map((span) => [span.name, span.kind, span.status])).toEqual([
      ['root', 'reasoning', 'ok'],
      ['search', 'tool', 'error'],
      ['docs', 'retriever', 'ok'],
      ['guard', 'decision', 'ok'],
    ]);
    expect(await spanOf(stored, stored.spans[1] as { id: number })).toMatchObject({
      input_data: { q: 1 },
      attributes: {
        'tool.name': 'search',
        tool_type: 'function',
        error: 'not found',
        span_id: spanId('tool'),
        parent_span_id: spanId('root'),
        instrumentation: 'test',
      },
    });
  });

  test('of two instrumentations that tell of one call the inner one counts', async () => {
    const { send, run } = newTrace();
    const outer = chat({
      id: 'outer',
      parent: 'root',
      attributes: { 'gen_ai.prompt': 'Hi', 'gen_ai.completion': 'Yo' },
    });
    await send(outer, agent({ id: 'root' }));
    expect((await run()).llm_call_count).toBe(1);
    await send(chat({ id: 'inner', parent: 'http', from: 10, to: 900 }));
    expect((await run()).llm_call_count).toBe(2);
    // Only now it shows that one lies within the other.
    await send({ id: 'http', parent: 'outer' });
    const stored = await run();
    expect(stored).toMatchObject({
      llm_call_count: 1,
      tokens: 1500,
      cost: 0.0075,
      llm_calls: [{ duration_ms: 890, prompt_preview: 'Hi', response_preview: 'Yo' }],
      spans: [{ kind: 'reasoning' }, { name: 'chat gpt-4o', kind: 'reasoning' }],
    });
    const { byOwner } = service.one;
    const found = await byOwner.llmCalls.listLlmCalls({ query: { agent: stored.agent_name } });
    expect([found.count, found.aggregates.total_cost]).toEqual([1, 0.0075]);
  });

  test('spans of a tool or an agent below a call are not duplicates of that call', async () => {
    const { send, run } = newTrace();
    const sub = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'sub' };
    const small = {
      'gen_ai.request.model': 'gpt-4o-mini',
      'gen_ai.usage.input_tokens': 20,
      'gen_ai.usage.output_tokens': 10,
    };
    const inner = chat({ id: 'inner', parent: 'agent', from: 30, attributes: small });
    await send(chat({ id: 'outer', attributes: { 'gen_ai.prompt': 'Hi' } }), inner);
    await send({ id: 'tool', parent: 'outer', from: 10, attributes: sub });
    await send(agent({ id: 'agent', parent: 'tool', from: 20 }));
    const stored = await run();
    expect([stored.llm_call_count, stored.tokens]).toEqual([2, 1530]);
    expect(
      Object.fromEntries(
        stored.llm_calls.map(({ model, prompt_preview }) => [model, prompt_preview]),
      ),
    ).toEqual({ 'gpt-4o': 'Hi', 'gpt-4o-mini': '' });
  });

  test.each([
    ['execute_tool', 1507],
    ['retrieval', 1507],
    ['run_guardrail', 1507],
    ['invoke_workflow', 1507],
    // What does not say that it is a step of its own may be a part of the call's own telling.
    ['agent_step', 7],
  ])('with %s between a call and embeddings there are %d tokens', async (between, tokens) => {
    const { send, run } = newTrace();
    const embeddings = {
      'gen_ai.operation.name': 'embeddings',
      'gen_ai.usage.input_tokens': 7,
      'gen_ai.usage.output_tokens': 0,
    };
    await send(
      chat({ id: 'outer' }),
      { id: 'step', parent: 'outer', from: 10, attributes: { 'gen_ai.operation.name': between } },
      chat({ id: 'inner', parent: 'step', from: 20, attributes: embeddings }),
    );
    expect((await run()).tokens).toBe(tokens);
  });

  test('a wrapping agent adds nothing to what its calls used', async () => {
    const { send, run } = newTrace();
    const usage = { 'gen_ai.usage.input_tokens': 2000, 'gen_ai.usage.output_tokens': 1000 };
    await send(
      agent({ id: 'root', attributes: usage }),
      chat({ id: 'one', parent: 'root' }),
      chat({ id: 'two', parent: 'root' }),
    );
    expect(await run()).toMatchObject({ llm_call_count: 2, tokens: 3000, cost: 0.015 });
  });

  test('a call that failed is counted, and its error shown', async () => {
    const { send, run } = newTrace();
    const failed = chat({ id: 'call', parent: 'root', error: '429 slow down' });
    await send(agent({ id: 'root' }), failed);
    const stored = await run();
    expect(stored).toMatchObject({ status: 'success', llm_call_count: 1 });
    const span = stored.spans.find(({ name }) => name === 'call') as { id: number };
    expect(await spanOf(stored, span)).toMatchObject({
      status: 'error',
      attributes: { error: '429 slow down' },
    });
  });

  test('a call may tell what was said, and what went wrong, in events', async () => {
    const { send, run } = newTrace();
    const said = (role: string, content: string) => [{ role, parts: [{ type: 'text', content }] }];
    const events: NonNullable<TestSpan['events']> = [
      {
        name: 'gen_ai.client.inference.operation.details',
        attributes: {
          'gen_ai.input.messages': said('user', 'Hi'),
          'gen_ai.output.messages': said('assistant', 'Yo'),
        },
      },
      {
        name: 'gen_ai.client.operation.exception',
        attributes: { 'exception.type': 'Cut', 'exception.message': 'cut off' },
      },
    ];
    await send(chat({ id: 'call', events }));
    expect(await run()).toMatchObject({
      status: 'error',
      error: 'cut off',
      llm_calls: [{ prompt_preview: 'Hi', response_preview: 'Yo' }],
    });
  });

  test('evaluations become scores', async () => {
    const { name, send } = newTrace();
    const result = (more: Record<string, string | number>) => ({
      name: 'gen_ai.evaluation.result',
      attributes: { 'gen_ai.evaluation.name': `${name} quality`, ...more },
    });
    await send(
      chat({
        id: 'call',
        events: [
          result({
            'gen_ai.evaluation.score.value': 0.5,
            'gen_ai.evaluation.score.label': 'fair',
            'gen_ai.evaluation.explanation': 'so so',
          }),
          result({}),
        ],
      }),
      {
        id: 'judge',
        parent: 'call',
        attributes: {
          'openinference.span.kind': 'EVALUATOR',
          'gen_ai.evaluation.name': `${name} quality`,
          'gen_ai.evaluation.score.label': 'pass',
        },
      },
    );
    const { results } = await service.one.byOwner.scores.listScores({
      query: { name: `${name} quality`, sort: 'source' },
    });
    expect(results).toMatchObject([
      { source: 'evaluator', data_type: 'categorical', string_value: 'pass' },
      {
        source: 'sdk',
        data_type: 'numeric',
        numeric_value: 0.5,
        string_value: 'fair',
        comment: 'so so',
      },
    ]);
  });

  test('a score belongs to the call that it names, as long as that call counts', async () => {
    const { send, run } = newTrace();
    const events = [
      {
        name: 'gen_ai.evaluation.result',
        attributes: { 'gen_ai.evaluation.name': 'q', 'gen_ai.evaluation.score.value': 0.5 },
      },
    ];
    /** Of each score the place of its call among those of the run. */
    const standsOn = async (): Promise<string[]> => {
      const { id: run_id, llm_calls } = await run();
      const { results } = await service.one.byOwner.scores.listScores({ query: { run_id } });
      const placeOf = (call: string) => llm_calls.findIndex(({ id }) => String(id) === call);
      return results
        .map(({ llm_call_id: call, llm_call_model }) =>
          call === null ? 'run' : `${placeOf(call)} ${llm_call_model}`,
        )
        .sort();
    };
    await send(chat({ id: 'inner', parent: 'http', from: 10, to: 900, events }));
    expect(await standsOn()).toEqual(['0 gpt-4o']);
    const said = { 'gen_ai.prompt': 'Hi' };
    await send(chat({ id: 'outer', parent: 'root', events, attributes: said }));
    expect(await standsOn()).toEqual(['0 gpt-4o', '1 gpt-4o']);
    // Now the inner one is stored anew, with the texts of the outer one, which no longer counts.
    await send({ id: 'http', parent: 'outer' });
    expect(await standsOn()).toEqual(['0 gpt-4o', 'run']);
  });

  test('a call that names a managed prompt is counted with its version', async () => {
    const { byOwner } = service.one;
    const content = 'Hello {{name}}';
    const prompt = await byOwner.prompts.createPrompt({ body: { name: `p-${kind}`, content } });
    const { send } = newTrace();
    const named = {
      'langfuse.observation.prompt.name': `p-${kind}`,
      'langfuse.observation.prompt.version': 1,
    };
    await send(chat({ id: 'call', attributes: { ...named, 'gen_ai.prompt': 'Hello Ada' } }));
    const metrics = await byOwner.prompts.getPromptMetrics({ params: { prompt_id: prompt.id } });
    expect(metrics.totals).toMatchObject({ call_count: 1, total_tokens: 1500 });
  });

  test('a version of a prompt that is no whole number costs no span', async () => {
    const { send, run } = newTrace();
    const told = ['1.5', 1.5, '1e300', 1e300, -1];
    await send(
      ...told.map((version, i) =>
        chat({
          id: `call ${i}`,
          attributes: { 'gen_ai.prompt.name': 'p', 'gen_ai.prompt.version': version },
        }),
      ),
      chat({
        id: 'last',
        attributes: { 'langfuse.prompt.name': 'p', 'langfuse.prompt.version': '1.2' },
      }),
    );
    expect((await run()).llm_call_count).toBe(told.length + 1);
  });

  test('any number of prompts may be named at once', async () => {
    const { byOwner } = service.one;
    const name = `one-of-many-${kind}`;
    const content = 'Hello';
    await byOwner.prompts.createPrompt({ body: { name, content } });
    const others = Array.from({ length: 40_000 }, (_, i) => ({ name: `p${i}`, version: i + 1 }));
    const [tenant] = await service.storage.db
      .selectFrom('tenants')
      .selectAll()
      .orderBy('created_at')
      .execute();
    const named = { name, version: 1 };
    const hashOf = await findPromptHashes(service.storage.db, tenant?.id ?? '', [named, ...others]);
    expect([hashOf(named), hashOf({ name: 'p0', version: 1 })]).toEqual([
      sha256(content),
      undefined,
    ]);
  });

  test('a given cost stays', async () => {
    const { send, run } = newTrace();
    await send(chat({ id: 'call', attributes: { 'gen_ai.usage.cost': 0.125 } }));
    expect((await run()).llm_calls).toMatchObject([{ cost: 0.125, cost_source: 'given' }]);
  });

  test('cached tokens are billed at their own rate', async () => {
    const { send, run } = newTrace();
    const cached = { 'gen_ai.usage.cache_read.input_tokens': 800 };
    await send(chat({ id: 'call', attributes: cached }));
    const [call] = (await run()).llm_calls;
    expect(call).toMatchObject({ tokens_in: 1000, cache_read_tokens: 800 });
    // 200 at 2.50, 800 at 1.25 and 500 at 10.00 dollars a million.
    expect(call?.cost).toBeCloseTo(0.0065, 10);
  });

  test('texts are masked before they are stored', async () => {
    const { byOwner } = service.one;
    const masking = { enabled: true, builtin: ['EMAIL' as const], keys: [], patterns: [] };
    const set = (enabled: boolean) =>
      byOwner.settings.putRecordingSettings({
        body: { retention_days: null, masking: { ...masking, enabled } },
      });
    await set(true);
    const { name, send } = newTrace();
    const mail = 'ada@example.org';
    await send(
      agent({
        id: 'root',
        error: `no ${mail}`,
        attributes: { 'input.value': mail, 'output.value': mail, note: mail },
      }),
      chat({
        id: 'call',
        parent: 'root',
        attributes: { 'gen_ai.prompt': mail, 'gen_ai.completion': mail },
        events: [
          {
            name: 'gen_ai.evaluation.result',
            attributes: {
              'gen_ai.evaluation.name': 'q',
              'gen_ai.evaluation.score.value': 1,
              'gen_ai.evaluation.explanation': mail,
            },
          },
        ],
      }),
      chat({ id: 'bare', parent: 'call' }),
    );
    await set(false);
    const { storage } = service;
    const tables = [
      'runs',
      'llm_calls',
      'spans',
      'scores',
      'otel_traces',
      'otel_unknowns',
    ] as const;
    for (const table of tables) {
      const rows = await storage.db.selectFrom(table).selectAll().execute();
      expect([table, JSON.stringify(rows).includes(mail)]).toEqual([table, false]);
    }
    const { results } = await byOwner.llmCalls.listLlmCalls({ query: { agent: name } });
    expect(results.map((call) => [call.prompt_preview, call.prompt_hash])).toEqual([
      ['##EMAIL##', sha256('##EMAIL##')],
    ]);
  });

  test('a trace that two tenants have is two traces', async () => {
    const trace = newTraceId();
    const [mine, other] = [newTrace('one', trace), newTrace('other', trace)];
    await mine.send(chat({ id: 'call' }));
    await other.send(chat({ id: 'call' }), chat({ id: 'more', parent: 'root' }));
    expect((await mine.run()).llm_call_count).toBe(1);
    expect((await other.run()).llm_call_count).toBe(2);
  });

  test('pieces of a trace that arrive at once are one run', async () => {
    const { name, send, run } = newTrace();
    const calls = Array.from({ length: 12 }, (_, i) => chat({ id: `c${i}`, parent: 'root' }));
    await Promise.all([
      ...calls.map((call) => send(call)),
      ...calls.map((call) => send(call)),
      send(agent({ id: 'root', attributes: { 'gen_ai.agent.name': `${name}-a` } })),
    ]);
    expect(await run(`${name}-a`)).toMatchObject({ llm_call_count: 12, tokens: 18_000 });
    const { count } = await service.one.byOwner.runs.listRuns({ query: { agent: name } });
    expect(count).toBe(0);
  });

  test('a trace of very many spans is stored in pieces', async () => {
    const { send, run } = newTrace();
    const tool = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 't' };
    for (let piece = 0; piece < 6; piece += 1)
      await send(
        ...Array.from({ length: 500 }, (_, i) => ({
          id: `${piece}-${i}`,
          parent: i === 0 ? 'root' : `${piece}-${i - 1}`,
          from: i,
          attributes: tool,
        })),
        chat({ id: `call ${piece}`, parent: `${piece}-499` }),
      );
    const many = Array.from({ length: 1200 }, (_, i) => chat({ id: `x${i}`, parent: 'root' }));
    await send(...many, agent({ id: 'root', to: 9000 }));
    const stored = await run();
    const { counts, duration } = stored;
    expect([counts.spans, counts.llm_calls, duration]).toEqual([3001, 1206, 9]);
  });
});
