import { describe, expect, test } from 'vitest';
import { databases } from '../support/databases.ts';
import type { TestSpan } from './spans.ts';
import { chat, agent, setUpTraces } from '../support/sent-traces.ts';

describe.each(databases)('traces on %s', (kind) => {
  const world = setUpTraces(kind);
  const { newTrace, spanOf } = world;

  test('if two instrumentations report one call, the inner one counts', async () => {
    const { send, run } = newTrace();
    const outer = chat({
      id: 'outer',
      parent: 'root',
      attributes: {
        'gen_ai.prompt': 'Hi',
        'gen_ai.completion': 'Yo',
        'gen_ai.response.finish_reasons': '["stop"]',
      },
    });
    await send(outer, agent({ id: 'root' }));
    expect((await run()).llm_call_count).toBe(1);
    await send(chat({ id: 'inner', parent: 'http', from: 10, to: 900 }));
    expect((await run()).llm_call_count).toBe(2);
    // Only this span shows that one call contains the other.
    await send({ id: 'http', parent: 'outer' });
    const stored = await run();
    expect(stored).toMatchObject({
      llm_call_count: 1,
      tokens: 1500,
      cost: 0.0075,
      llm_calls: [
        { duration_ms: 890, prompt_preview: 'Hi', response_preview: 'Yo', finish_reason: 'stop' },
      ],
      spans: [{ kind: 'reasoning' }, { name: 'chat gpt-4o', kind: 'reasoning' }],
    });
    const { byOwner } = world.service.one;
    const found = await byOwner.llmCalls.listLlmCalls({ query: { agent: stored.agent_name } });
    expect([found.count, found.aggregates.total_cost]).toEqual([1, 0.0075]);
  });

  test.each([
    ['before', ['outer', 'inner']],
    ['after', ['inner', 'outer']],
    ['long after', ['inner', 'between', 'outer']],
  ])(
    'a call takes the facts of its response from a report that came %s it',
    async (_when, order) => {
      const { send, run } = newTrace();
      const tool = { id: 'c1', name: 'weather', arguments: { city: 'Paris' } };
      const answer = [{ role: 'assistant', parts: [{ type: 'tool_call', ...tool }] }];
      const spans: Record<string, TestSpan> = {
        outer: chat({
          id: 'outer',
          parent: 'root',
          attributes: {
            'gen_ai.output.messages': JSON.stringify(answer),
            'gen_ai.response.time_to_first_chunk': 0.25,
            'llm.finish_reason': 'tool_calls',
          },
        }),
        between: { id: 'between', parent: 'outer' },
        inner: chat({
          id: 'inner',
          parent: 'between',
          from: 10,
          attributes: { 'anthropic.message.stop_reason': 'tool_use' },
        }),
      };
      for (const id of new Set(['root', ...order, 'between']))
        await send(spans[id] ?? agent({ id }));
      const { llm_calls } = await run();
      expect(llm_calls).toMatchObject([{ finish_reason: 'tool_use', time_to_first_token_ms: 250 }]);
      const { byOwner } = world.service.one;
      const [call] = llm_calls;
      const found = await byOwner.llmCalls.getLlmCall({ params: { call_id: String(call?.id) } });
      expect(found.tool_calls).toEqual([tool]);
    },
  );

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
    // A span that is not marked as a separate step may be part of the call's own spans.
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

  test('a wrapping agent adds nothing to the usage of its calls', async () => {
    const { send, run } = newTrace();
    const usage = { 'gen_ai.usage.input_tokens': 2000, 'gen_ai.usage.output_tokens': 1000 };
    await send(
      agent({ id: 'root', attributes: usage }),
      chat({ id: 'one', parent: 'root' }),
      chat({ id: 'two', parent: 'root' }),
    );
    expect(await run()).toMatchObject({ llm_call_count: 2, tokens: 3000, cost: 0.015 });
  });

  test('a failed call is counted, and its error is shown', async () => {
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

  test('a call may report messages and errors in events', async () => {
    const { send, run } = newTrace();
    const messageOf = (role: string, content: string) => [
      { role, parts: [{ type: 'text', content }] },
    ];
    const events: NonNullable<TestSpan['events']> = [
      {
        name: 'gen_ai.client.inference.operation.details',
        attributes: {
          'gen_ai.input.messages': messageOf('user', 'Hi'),
          'gen_ai.output.messages': messageOf('assistant', 'Yo'),
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
    const { results } = await world.service.one.byOwner.scores.listScores({
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
    /** Returns the call of each score, by its position among the calls of the run. */
    const standsOn = async (): Promise<string[]> => {
      const { id: run_id, llm_calls } = await run();
      const { results } = await world.service.one.byOwner.scores.listScores({ query: { run_id } });
      const placeOf = (call: string) => llm_calls.findIndex(({ id }) => String(id) === call);
      return results
        .map(({ llm_call_id: call, llm_call_model }) =>
          call === null ? 'run' : `${placeOf(call)} ${llm_call_model}`,
        )
        .sort();
    };
    await send(chat({ id: 'inner', parent: 'http', from: 10, to: 900, events }));
    expect(await standsOn()).toEqual(['0 gpt-4o']);
    const prompt = { 'gen_ai.prompt': 'Hi' };
    await send(chat({ id: 'outer', parent: 'root', events, attributes: prompt }));
    expect(await standsOn()).toEqual(['0 gpt-4o', '1 gpt-4o']);
    // The inner call now replaces the outer one and takes over its texts.
    await send({ id: 'http', parent: 'outer' });
    expect(await standsOn()).toEqual(['0 gpt-4o', 'run']);
  });
});
