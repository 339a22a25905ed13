import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  endpointOf,
  type LocalServer,
  observerOf,
  startLocalServer,
  type TestObserver,
} from '#test/sdk/local-server.ts';
import { MODEL_KEY, type ModelProvider, startModelProvider } from '#test/support/model-provider.ts';
import { wrapAnthropic } from './anthropic.ts';
import { wrapOpenAI } from './openai.ts';

let server: LocalServer;
let provider: ModelProvider;
let observed: TestObserver;
beforeEach(async () => {
  [server, provider] = [await startLocalServer(), await startModelProvider()];
  observed = observerOf(server, { captureContent: true });
});
afterEach(async () => {
  await observed.observer.shutdown();
  await Promise.all([server.goAway(), provider.stop()]);
});

/** The recorded calls, without fields that vary between test runs. */
async function arrived(): Promise<object[]> {
  await observed.observer.flush();
  const calls = server.accepted.flatMap(
    ({ body }) => (body.calls ?? []) as Record<string, unknown>[],
  );
  return calls.map(({ created_at, started_at, duration_ms, time_to_first_token_ms, ...call }) => {
    expect([typeof created_at, typeof started_at]).toEqual(['string', 'string']);
    expect(duration_ms).toBeGreaterThanOrEqual(Number(time_to_first_token_ms ?? 0));
    return { ...call, ...(time_to_first_token_ms !== undefined && { streamed: true }) };
  });
}

/** The spans that arrived, such as those of failed calls. */
const failures = (): object[] =>
  server.accepted.flatMap(({ body }) => (body.spans ?? []) as Record<string, unknown>[]);

const openAi = (options = {}) =>
  wrapOpenAI(new OpenAI({ apiKey: MODEL_KEY, baseURL: `${provider.url}/v1`, maxRetries: 0 }), {
    observer: observed.observer,
    ...options,
  });
const anthropic = () =>
  wrapAnthropic(new Anthropic({ apiKey: MODEL_KEY, baseURL: provider.url, maxRetries: 0 }), {
    observer: observed.observer,
    task: 'greet',
  });

const messages = [{ role: 'user' as const, content: 'one two three' }];
const question = { model: 'gpt-4o', messages };
const message = { model: 'claude-sonnet-4-6', max_tokens: 10, messages };

describe('the OpenAI client', () => {
  const recorded = {
    model: 'gpt-4o',
    response_id: 'chatcmpl-1',
    tokens_in: 3,
    tokens_out: 5,
    cache_read_tokens: 2,
    prompt_preview: JSON.stringify(messages),
    response_preview: 'gpt-4o heard: one two three',
    finish_reason: 'stop',
  };
  const streamed = { ...recorded, streamed: true };

  test('returns the same response, and the call is recorded once', async () => {
    const client = wrapOpenAI(openAi({ provider: 'mine', task: 'sort' }));
    const answer = await client.chat.completions.create(question);
    expect(answer.choices[0]?.message.content).toBe('gpt-4o heard: one two three');
    expect(await arrived()).toEqual([{ ...recorded, provider: 'mine', task: 'sort' }]);
  });

  test('clients that it derives are wrapped with the same options', async () => {
    const client = openAi({ provider: 'mine', task: 'sort' }).withOptions({ timeout: 60_000 });
    await client.withOptions({ maxRetries: 1 }).chat.completions.create(question);
    await anthropic().withOptions({ timeout: 60_000 }).messages.create(message);
    expect(await arrived()).toMatchObject([
      { ...recorded, provider: 'mine', task: 'sort' },
      { model: 'claude-sonnet-4-6', provider: 'anthropic', task: 'greet' },
    ]);
  });

  test('requests the usage of a stream, and hides the extra chunk from the agent', async () => {
    const { chat } = openAi({ streamUsage: true });
    let text = '';
    for await (const chunk of await chat.completions.create({ ...question, stream: true })) {
      expect(chunk.choices).toHaveLength(1);
      text += chunk.choices[0]?.delta.content ?? '';
    }
    expect(text).toBe('gpt-4o heard: one two three');
    expect(provider.requests[0]).toMatchObject({ stream_options: { include_usage: true } });
    expect(await arrived()).toEqual([streamed]);
  });

  test('does not change requests to endpoints other than api.openai.com', async () => {
    const stream = await openAi().chat.completions.create({
      model: 'old-server-model',
      messages,
      stream: true,
    });
    for await (const _chunk of stream);
    expect(provider.requests[0]).toEqual({ model: 'old-server-model', messages, stream: true });
    expect(await arrived()).toMatchObject([{ model: 'old-server-model', tokens_in: 0 }]);
  });

  test('calls of helper methods are recorded', async () => {
    const { chat } = openAi({ streamUsage: true });
    const runner = chat.completions.stream(question);
    expect(await runner.finalContent()).toBe('gpt-4o heard: one two three');
    const parsed = await chat.completions.parse(question);
    expect(parsed.choices[0]?.message.content).toBe('gpt-4o heard: one two three');
    expect(await arrived()).toEqual([streamed, recorded]);
  });

  test('a stream that is abandoned or breaks off is recorded up to that point', async () => {
    const { chat } = openAi();
    for await (const _chunk of await chat.completions.create({ ...question, stream: true })) break;
    const read = async (): Promise<void> => {
      const stream = await chat.completions.create({ model: 'breaks', messages, stream: true });
      for await (const _chunk of stream);
    };
    await expect(read()).rejects.toThrow('Overloaded');
    expect(await arrived()).toMatchObject([
      { model: 'gpt-4o', response_preview: '' },
      { model: 'breaks', response_preview: 'half an ' },
    ]);
  });

  test('errors do not change', async () => {
    const request = openAi().chat.completions.create({ model: 'limited', messages });
    await expect(request).rejects.toBeInstanceOf(OpenAI.RateLimitError);
    expect(await arrived()).toEqual([]);
    expect(failures()).toMatchObject([
      {
        name: 'call limited',
        status: 'error',
        attributes: { model: 'limited', error: expect.stringMatching(/^RateLimitError: 429 /) },
        input_data: { prompt_preview: JSON.stringify(messages) },
      },
    ]);
  });

  test('a failed call of a helper method is recorded once', async () => {
    const { chat } = openAi();
    const request = chat.completions.parse({ model: 'limited', messages });
    await expect(request).rejects.toBeInstanceOf(OpenAI.RateLimitError);
    await expect(request).rejects.toBeInstanceOf(OpenAI.RateLimitError);
    expect(await arrived()).toEqual([]);
    expect(failures()).toHaveLength(1);
  });

  test('calls belong to the run in which they were made, wherever the response is read', async () => {
    const { chat } = openAi();
    const run = observed.observer.startRun({ agentName: 'maker' });
    const stream = await run.within(() => chat.completions.create({ ...question, stream: true }));
    for await (const _chunk of stream);
    run.complete();
    await arrived();
    expect(server.accepted.map(endpointOf)).toEqual(['start', 'llm-calls', 'complete']);
  });

  test('responses and embeddings, with their own usage; cached tokens are part of the input', async () => {
    const usage = { input_tokens: 9, output_tokens: 2, input_tokens_details: { cached_tokens: 4 } };
    const part = { type: 'output_text', text: 'ho', annotations: [] };
    const output = [{ type: 'message', id: 'm', role: 'assistant', content: [part] }];
    const whole = { id: 'r', object: 'response', model: 'gpt-5', output, usage };
    const events = [
      { type: 'response.output_text.delta', delta: 'ho' },
      { type: 'response.completed', response: whole },
    ];
    const models = await startLocalServer();
    models.behave = ({ path, body }) => {
      if (path.endsWith('/embeddings'))
        return { body: { object: 'list', model: 'emb', data: [], usage: { prompt_tokens: 7 } } };
      if (!body.stream) return { body: whole };
      const text = events.map((e) => `event: ${e.type}\ndata: ${JSON.stringify(e)}\n\n`).join('');
      return { text, headers: { 'content-type': 'text/event-stream' } };
    };
    const client = wrapOpenAI(new OpenAI({ apiKey: 'k', baseURL: models.url }), {
      observer: observed.observer,
    });
    const request = { model: 'gpt-5', input: 'hi' };
    expect((await client.responses.create(request)).output_text).toBe('ho');
    for await (const _event of await client.responses.create({ ...request, stream: true }));
    await client.embeddings.create({ model: 'emb', input: 'hi', encoding_format: 'float' });
    const response = {
      model: 'gpt-5',
      response_id: 'r',
      tokens_in: 9,
      tokens_out: 2,
      cache_read_tokens: 4,
      prompt_preview: 'hi',
      response_preview: 'ho',
    };
    expect(await arrived()).toEqual([
      response,
      { ...response, streamed: true },
      { model: 'emb', tokens_in: 7, tokens_out: 0, prompt_preview: 'hi', response_preview: '' },
    ]);
    await models.goAway();
  });
});

describe('the Anthropic client', () => {
  // One of three tokens is fresh, and two come from the cache.
  const recorded = {
    model: 'claude-sonnet-4-6',
    response_id: 'msg_1',
    provider: 'anthropic',
    task: 'greet',
    tokens_in: 3,
    tokens_out: 5,
    cache_read_tokens: 2,
    cache_write_tokens: 0,
    prompt_preview: JSON.stringify(messages),
    response_preview: 'claude-sonnet-4-6 heard: one two three',
    finish_reason: 'end_turn',
  };
  const streamed = { ...recorded, streamed: true };

  test('returns the same response, and the call is recorded', async () => {
    const answer = await anthropic().messages.create(message);
    expect(answer.content).toMatchObject([{ text: 'claude-sonnet-4-6 heard: one two three' }]);
    expect(await arrived()).toEqual([recorded]);
  });

  test('streams are recorded whether they are read as events or by helper methods', async () => {
    const { messages: resource } = anthropic();
    const types: string[] = [];
    for await (const event of await resource.create({ ...message, stream: true }))
      types.push(event.type);
    expect([types[0], types.at(-1)]).toEqual(['message_start', 'message_stop']);
    const final = await resource.stream(message).finalMessage();
    expect(final.usage.output_tokens).toBe(5);
    expect(await arrived()).toEqual([streamed, streamed]);
  });
});

test('plain promises of other clients are recorded', async () => {
  const odd = { chat: { completions: 7 }, responses: {} };
  expect(wrapOpenAI(odd, { observer: observed.observer })).toEqual(odd);
  const answer = { model: 'own', usage: { prompt_tokens: 1, completion_tokens: 2 } };
  const plain = wrapOpenAI(
    { chat: { completions: { create: async (_body: object) => Promise.resolve(answer) } } },
    { observer: observed.observer },
  );
  expect(await plain.chat.completions.create({ model: 'own' })).toBe(answer);
  expect(await arrived()).toMatchObject([{ model: 'own', tokens_in: 1, tokens_out: 2 }]);
});

test('a promise that is read in several ways is recorded once', async () => {
  const stream = {
    async *iterator() {
      yield { model: 'own', choices: [{ delta: { content: 'once' } }] };
    },
    [Symbol.asyncIterator]() {
      return this.iterator();
    },
  };
  const pending = {
    parseResponse: () => Promise.resolve(stream),
    _thenUnwrap(transform: (value: typeof stream) => typeof stream) {
      return this.parseResponse().then(transform);
    },
  };
  const client = { chat: { completions: { create: (_body: object) => pending } } };
  wrapOpenAI(client, { observer: observed.observer });
  for await (const _chunk of await client.chat.completions.create({})._thenUnwrap((it) => it));
  expect(await arrived()).toMatchObject([{ model: 'own', response_preview: 'once' }]);
});

test('a stream that fails before its first event is a failed call', async () => {
  const stream = {
    async *[Symbol.asyncIterator]() {
      await Promise.reject(new Error('Overloaded'));
      yield {};
    },
  };
  const client = { chat: { completions: { create: async (_body: object) => stream } } };
  wrapOpenAI(client, { observer: observed.observer });
  const read = async (): Promise<void> => {
    for await (const _event of await client.chat.completions.create({ model: 'own' }));
  };
  await expect(read()).rejects.toThrow('Overloaded');
  expect(await arrived()).toEqual([]);
  expect(failures()).toMatchObject([
    { status: 'error', attributes: { error: 'Error: Overloaded' } },
  ]);
});

describe('requested tools', () => {
  const wanted = [{ id: 'call_1', name: 'weather', arguments: { city: 'Rome' } }];

  test('of a chat completion, streamed in pieces', async () => {
    const piece = (tool: object) => ({
      choices: [{ delta: { tool_calls: [{ index: 0, ...tool }] } }],
    });
    const client = clientOf('chat.completions', [
      piece({ id: 'call_1', function: { name: 'weather', arguments: '' } }),
      piece({ function: { arguments: '{"city":' } }),
      piece({ function: { arguments: '"Rome"}' } }),
    ]);
    for await (const _event of await client());
    expect(await arrived()).toMatchObject([{ tool_calls: wanted }]);
  });

  test('of a response, whose last event contains them', async () => {
    const item = {
      type: 'function_call',
      call_id: 'call_1',
      name: 'weather',
      arguments: '{"city":"Rome"}',
    };
    const client = clientOf('responses', [
      { type: 'response.completed', response: { id: 'r', output: [{ type: 'reasoning' }, item] } },
    ]);
    for await (const _event of await client());
    expect(await arrived()).toMatchObject([{ tool_calls: wanted }]);
  });

  test('of a message, streamed and whole', async () => {
    const tool = { type: 'tool_use', id: 'call_1', name: 'weather' };
    const delta = (partial_json: string) => ({
      index: 1,
      delta: { type: 'input_json_delta', partial_json },
    });
    const streamed = clientOf('messages', [
      { index: 1, content_block: { ...tool, input: {} } },
      delta('{"city":'),
      delta('"Rome"}'),
    ]);
    for await (const _event of await streamed());
    const whole = clientOf('messages', { content: [{ ...tool, input: { city: 'Rome' } }] });
    await whole();
    expect(await arrived()).toMatchObject([{ tool_calls: wanted }, { tool_calls: wanted }]);
  });

  test('with arguments that are not JSON stay unchanged', async () => {
    const tool = { id: 'call_1', function: { name: 'weather', arguments: '{"city": Ro' } };
    await clientOf('chat.completions', { choices: [{ message: { tool_calls: [tool] } }] })();
    expect(await arrived()).toMatchObject([{ tool_calls: [{ arguments: '{"city": Ro' }] }]);
  });

  /** Creates a function that calls a client with the given response, or stream of events. */
  function clientOf(resource: string, answer: object): () => Promise<AsyncIterable<unknown>> {
    const stream = {
      async *[Symbol.asyncIterator]() {
        yield* answer as unknown[];
      },
    };
    const create = (_body: object): Promise<unknown> =>
      Promise.resolve(Array.isArray(answer) ? stream : answer);
    const options = { observer: observed.observer };
    const call = { model: 'own', stream: Array.isArray(answer) };
    if (resource === 'messages') {
      const client = wrapAnthropic({ messages: { create } }, options);
      return () => client.messages.create(call) as Promise<AsyncIterable<unknown>>;
    }
    const client = wrapOpenAI(
      { responses: { create }, chat: { completions: { create } } },
      options,
    );
    const { create: wrapped } =
      resource === 'responses' ? client.responses : client.chat.completions;
    return () => wrapped(call) as Promise<AsyncIterable<unknown>>;
  }
});
