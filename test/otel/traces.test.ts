import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { findPromptHashes } from '#control-plane/otel/calls/call-queries.ts';
import { databases } from '../support/databases.ts';
import { newTraceId, spanId, START } from './spans.ts';
import { chat, agent, setUpTraces } from '../support/sent-traces.ts';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

describe.each(databases)('traces on %s', (kind) => {
  const world = setUpTraces(kind);
  const { newTrace, spanOf } = world;

  test('the first span of an AI agent starts a run, and the root completes it', async () => {
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

  test('the root may arrive before any span of an AI agent', async () => {
    const { send, run } = newTrace();
    await send({ id: 'root', from: 0, to: 2000, attributes: { 'session.id': 's-early' } });
    await send(chat({ id: 'call', parent: 'root', from: 100, to: 900 }));
    expect(await run()).toMatchObject({ status: 'success', duration: 2, session_id: 's-early' });
  });

  test('the user and session may become known later, and totals follow', async () => {
    const { name, send, run } = newTrace();
    await send(chat({ id: 'call', parent: 'root', from: 100, to: 900 }));
    const found = async (of: string) => {
      const request = { query: { search: 'gpt-4o', agent: of } };
      return (await world.service.one.byOwner.llmCalls.listLlmCalls(request)).count;
    };
    expect(await found(name)).toBe(1);
    const own = { 'gen_ai.agent.name': `${name}-agent`, 'session.id': name, 'user.id': name };
    await send(agent({ id: 'root', to: 2000, attributes: own }));
    expect([await found(name), await found(`${name}-agent`)]).toEqual([0, 1]);
    const query = { query: { search: name } };
    const { byOwner } = world.service.one;
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

  test('a span called by another service is the root here', async () => {
    const { send, run } = newTrace();
    await send(chat({ id: 'call', parent: 'entry' }));
    await send(agent({ id: 'entry', parent: 'far away', to: 3000, flags: 0x300 }));
    expect(await run()).toMatchObject({ status: 'success', duration: 3 });
  });

  test('the input and output of an agent are recorded on its run', async () => {
    const { send, run } = newTrace();
    const attributes = { 'input.value': '{"question":"why?"}', 'output.value': 'because' };
    await send(agent({ id: 'root', attributes }));
    expect(await run()).toMatchObject({
      inputs: { question: 'why?' },
      result: { value: 'because' },
    });
  });

  test('a call without other spans is a run', async () => {
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

  test('kinds of spans with their contents', async () => {
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

  test('a call that names a managed prompt is counted with its version', async () => {
    const { byOwner } = world.service.one;
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

  test('an invalid prompt version does not affect the span', async () => {
    const { send, run } = newTrace();
    const versions = ['1.5', 1.5, '1e300', 1e300, -1];
    await send(
      ...versions.map((version, i) =>
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
    expect((await run()).llm_call_count).toBe(versions.length + 1);
  });

  test('any number of prompts may be named at once', async () => {
    const { byOwner } = world.service.one;
    const name = `one-of-many-${kind}`;
    const content = 'Hello';
    await byOwner.prompts.createPrompt({ body: { name, content } });
    const others = Array.from({ length: 40_000 }, (_, i) => ({ name: `p${i}`, version: i + 1 }));
    const [tenant] = await world.service.storage.db
      .selectFrom('tenants')
      .selectAll()
      .orderBy('created_at')
      .execute();
    const named = { name, version: 1 };
    const hashOf = await findPromptHashes(world.service.storage.db, tenant?.id ?? '', [
      named,
      ...others,
    ]);
    expect([hashOf(named), hashOf({ name: 'p0', version: 1 })]).toEqual([
      sha256(content),
      undefined,
    ]);
  });

  test('a given cost is kept', async () => {
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
    // In dollars per million: 200 at 2.50, 800 at 1.25 and 500 at 10.00.
    expect(call?.cost).toBeCloseTo(0.0065, 10);
  });

  test('texts are masked before they are stored', async () => {
    const { byOwner } = world.service.one;
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
    const { storage } = world.service;
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

  test('a trace id that two tenants use belongs to two traces', async () => {
    const trace = newTraceId();
    const [mine, other] = [newTrace('one', trace), newTrace('other', trace)];
    await mine.send(chat({ id: 'call' }));
    await other.send(chat({ id: 'call' }), chat({ id: 'more', parent: 'root' }));
    expect((await mine.run()).llm_call_count).toBe(1);
    expect((await other.run()).llm_call_count).toBe(2);
  });

  test('concurrent pieces of a trace become one run', async () => {
    const { name, send, run } = newTrace();
    const calls = Array.from({ length: 12 }, (_, i) => chat({ id: `c${i}`, parent: 'root' }));
    await Promise.all([
      ...calls.map((call) => send(call)),
      ...calls.map((call) => send(call)),
      send(agent({ id: 'root', attributes: { 'gen_ai.agent.name': `${name}-a` } })),
    ]);
    expect(await run(`${name}-a`)).toMatchObject({ llm_call_count: 12, tokens: 18_000 });
    const { count } = await world.service.one.byOwner.runs.listRuns({ query: { agent: name } });
    expect(count).toBe(0);
  });

  test('a trace with very many spans is stored in pieces', async () => {
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
