import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { OWNER, type TestControlPlane } from '../support/control-plane.ts';
import { expectedResponse } from '../support/model-provider.ts';
import { TOOL_ARGUMENTS } from '../support/model-wire.ts';
import {
  expectedChatResult,
  chat,
  collect,
  providersOnDatabases,
  errorMatching,
  setUpPlayground,
  streamPlayground,
  variables,
} from '../support/playground.ts';

const runOn = (service: TestControlPlane, body: object) =>
  service.byOwner.playground.runPlayground({ body: { content: 'Hi', ...body } });

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await sleep(5);
}

describe.each(providersOnDatabases)('the playground of $provider on $kind', (using) => {
  const { provider, model, picky } = using;
  const world = setUpPlayground(using);

  const run = (body: object) => runOn(world.service, body);
  const result = expectedChatResult(using);

  test('returns output, tokens, cost and time, with variables filled in everywhere', async () => {
    const config = { model, temperature: 0.2, max_tokens: 50 };
    expect(await run({ content: chat, config, variables })).toEqual(result);
    expect(world.models.requests).toMatchObject([{ model, temperature: 0.2, max_tokens: 50 }]);
  });

  test('streams the same in pieces, with the complete result as the last event', async () => {
    const body = { content: chat, config: { model }, variables };
    const events = await collect(streamPlayground(world.service, body));
    const pieces = events
      .slice(0, -1)
      .map((event) => ('delta' in event ? event.delta : 'no delta'));
    expect(pieces.length).toBeGreaterThan(3);
    expect(pieces.join('')).toBe(result.output);
    expect(events.at(-1)).toEqual(result);
  });

  test("the tenant's own prices apply", async () => {
    const params = { model_id: picky };
    const { costs } = world.service.byKey;
    const price = { input_cost_per_million: 1_000_000, output_cost_per_million: 0 };
    await costs.putModelCost({ params, body: price });
    const { cost: own, tokens_in: read } = await run({ content: 'Hi', config: { model: picky } });
    await costs.deleteModelCost({ params });
    expect(own).toBeGreaterThan(0);
    expect(own).toBeLessThanOrEqual(read);
  });

  test('text is sent as one user message; variables without a value stay and are named', async () => {
    const content = '{{n}} for {{who}}';
    expect(await run({ content, config: { model }, variables: { n: 3 } })).toMatchObject({
      output: expectedResponse(model, ['3 for {{who}}']),
      missing_variables: ['who'],
    });
    expect(world.models.requests[0]?.messages).toEqual([
      { role: 'user', content: '3 for {{who}}' },
    ]);
  });

  test('if a model rejects a setting, the prompt runs without it and the response says so', async () => {
    const body = { config: { model: picky, temperature: 0.5, max_tokens: 77 } };
    const whole = { output: expectedResponse(picky, ['Hi']), ignored_settings: ['temperature'] };
    expect(await run(body)).toMatchObject(whole);
    expect((await collect(streamPlayground(world.service, body))).at(-1)).toMatchObject(whole);
    const last = world.models.requests.at(-1) ?? {};
    expect(last).not.toHaveProperty('temperature');
    expect([last.max_tokens, last.max_completion_tokens]).toContain(77);
  });

  test('the config of a stored prompt is accepted in full, and settings that are not sent are named', async () => {
    const stored = { top_p: 0.5, stop: 'END', seed: 7, top_k: 3, presence_penalty: null };
    const body = { config: { model, ...stored } };
    const { ignored_settings } = await run(body);
    const streamed = (await collect(streamPlayground(world.service, body))).at(-1);
    expect(streamed).toMatchObject({ ignored_settings });
    const [sent, ignored] =
      provider === 'openai'
        ? [{ top_p: 0.5, stop: 'END', seed: 7 }, ['top_k']]
        : [{ top_p: 0.5, stop_sequences: ['END'] }, ['seed', 'top_k']];
    expect(ignored_settings.toSorted()).toEqual(ignored);
    expect(world.models.requests).toMatchObject([sent, sent]);
    for (const request of world.models.requests) expect(request).not.toHaveProperty('top_k');
  });

  test("a tool in OpenAI's format reaches the model, and its call is returned, streamed or not", async () => {
    const parameters = { type: 'object', properties: { city: { type: 'string' } } };
    const tools = [{ type: 'function', function: { name: 'get_weather', parameters } }];
    const body = { config: { model, tools } };
    const tool_calls = [{ id: 'call_1', name: 'get_weather', arguments: TOOL_ARGUMENTS }];
    const called = { output: '', tool_calls, ignored_settings: [] };
    expect(await run(body)).toMatchObject(called);
    const events = await collect(streamPlayground(world.service, body));
    expect(events).toEqual([expect.objectContaining(called)]);
    const sent =
      provider === 'openai' ? tools[0] : { name: 'get_weather', input_schema: parameters };
    expect(world.models.requests[0]?.tools).toEqual([sent]);
  });

  test('a response format is sent if the provider supports it, and its error is quoted', async () => {
    const response_format = { type: 'json_object' };
    const config = { model, response_format };
    const [ignored, sent, withoutTheWord] =
      provider === 'anthropic'
        ? [['response_format'], undefined, /^answered$/]
        : [[], response_format, /must contain the word 'json'/];
    expect((await run({ content: 'As JSON', config })).ignored_settings).toEqual(ignored);
    expect(world.models.requests[0]?.response_format).toEqual(sent);
    const outcome = await run({ config }).then(
      () => 'answered',
      (error: Error) => error.message,
    );
    expect(outcome).toMatch(withoutTheWord);
  });

  test('the provider is described with the models that it lists', async () => {
    const described = await world.service.byOwner.playground.getPlaygroundProvider();
    expect(described).toMatchObject({
      provider,
      host: new URL(world.models.url).host,
      problem: null,
      models_problem: null,
    });
    expect(described.models).toContain(model);
  });

  test.each([
    ['unknown-model', 404, /^the model provider has no model "unknown-model": /],
    ['limited', 429, /^the model provider's rate limit is exceeded: Rate limit reached$/],
    ['down', 502, /^the model provider failed \(503\): The server is overloaded, …$/],
    ['garbled', 502, /^the model provider's response is invalid: /],
  ])(
    "for the model %j, the provider's error is returned and the request is not repeated",
    async (name, status, message) => {
      const body = { config: { model: name } };
      await expect(run(body)).rejects.toMatchObject(errorMatching(status, message));
      expect(world.models.requests).toHaveLength(1);
      // An error before the first piece of a stream is an ordinary response.
      await expect(collect(streamPlayground(world.service, body))).rejects.toMatchObject(
        errorMatching(status, message),
      );
    },
  );

  test("the provider's error message is passed on", async () => {
    const content = [{ role: 'user', content: [{ type: 'video', url: 'x' }] }];
    await expect(run({ content, config: { model } })).rejects.toMatchObject(
      errorMatching(400, /^the model provider rejected the request: .*messages/),
    );
  });

  const sendRequest = async (body: object, path = ''): Promise<Response> => {
    const { token } = await world.service.by({}).identity.login({ body: OWNER });
    return fetch(`${world.service.urls.public}/api/v1/prompts/playground/${path}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}` },
      body: JSON.stringify({ content: 'Hi', ...body }),
    });
  };

  test('a rate limit error says when to retry', async () => {
    const response = await sendRequest({ config: { model: 'limited' } });
    expect(response.headers.get('retry-after')).toBe('7');
  });

  test('a stream consists of server-sent events that proxies must not buffer', async () => {
    const { headers, body } = await sendRequest({ config: { model }, stream: true });
    expect([headers.get('content-type'), headers.get('cache-control')]).toEqual([
      'text/event-stream; charset=utf-8',
      'no-store, no-transform',
    ]);
    const text = await new Response(body).text();
    expect(text).toMatch(/^(data: \{"delta":"[^"]+"\}\n\n)+data: \{"output":.*\}\n\n$/);
  });

  test.each([
    ['breaks', /^the model provider aborted the response: Overloaded$/],
    [
      'drops',
      /^connection to the model provider at 127\.0\.0\.1:\d+ failed: \w+ \(LLM_BASE_URL\)$/,
    ],
    ['stops', /^the model provider's response is invalid: the stream ended before/],
  ])('a stream that %s ends with an event that says so', async (name, message) => {
    expect(await collect(streamPlayground(world.service, { config: { model: name } }))).toEqual([
      { delta: 'half an ' },
      { error: expect.stringMatching(message) as string, reason: 'model_provider_failed' },
    ]);
  });

  test("closing the connection cancels the provider's request", async () => {
    const streaming = new AbortController();
    const events = streamPlayground(
      world.service,
      { config: { model: 'stalls' } },
      streaming.signal,
    );
    expect(await events.next()).toEqual({ done: false, value: { delta: 'half an ' } });
    expect(world.models.abortedRequests).toBe(0);
    streaming.abort();
    await expect(events.next()).rejects.toThrow(/abort/);
    await until(() => world.models.abortedRequests === 1);

    // Also if a client stops reading, or disconnects while waiting for a complete response.
    for await (const event of streamPlayground(world.service, { config: { model: 'stalls' } }))
      if ('delta' in event) break;
    await until(() => world.models.abortedRequests === 2);

    const waiting = new AbortController();
    const response = world.service.byOwner.playground.runPlayground(
      { body: { content: 'Hi', config: { model: 'silent' } } },
      { signal: waiting.signal },
    );
    await until(() => world.models.requests.length === 3);
    waiting.abort();
    await expect(response).rejects.toThrow(/abort/);
    await until(() => world.models.abortedRequests === 3);
  });

  const compare = (variants: object[]) =>
    world.service.byOwner.playground.comparePlayground({ body: { variants: variants as never } });

  const repeated = { content: '{{a}}'.repeat(4000), variables: { a: 'x'.repeat(100_000) } };
  const tooLong =
    /^content: 400000000 characters with its variables filled in, at most 2000000 allowed$/;

  test('a prompt that its variables would make too long is rejected, streamed or not', async () => {
    await expect(run(repeated)).rejects.toMatchObject(errorMatching(400, tooLong));
    await expect(collect(streamPlayground(world.service, repeated))).rejects.toMatchObject(
      errorMatching(400, tooLong),
    );
    const content = [1, 2, 3].map(() => ({ role: 'user', content: '{{a}}' }));
    const variables = { a: 'x'.repeat(700_000) };
    await expect(run({ content, variables })).rejects.toMatchObject(
      errorMatching(400, /2100000 char/),
    );
    expect(world.models.requests).toEqual([]);
    const longest = { content: '{{a}}{{a}}', variables: { a: 'x'.repeat(1_000_000) } };
    expect((await run({ ...longest, config: { model } })).output).toHaveLength(
      2_000_000 + expectedResponse(model, ['']).length,
    );
  });

  test.each([
    [{}, /^content: is required$/],
    [{ content: 'Hi', config: { temperature: 'hot' } }, /^config\.temperature: /],
    [{ content: 'Hi', config: { max_tokens: 0 } }, /^config\.max_tokens: /],
    [{ content: 'Hi', config: { top_p: 2 } }, /^config\.top_p: /],
    [{ content: 'Hi', config: { stop: 3 } }, /^config\.stop: expected a text or an array/],
    [{ content: 'Hi', variables: [] }, /^variables: /],
    [{ content: [{ role: 'robot', content: 'x' }] }, /^content: message 0: role: /],
  ])('%j is rejected before the provider is called', async (body, message) => {
    const { playground } = world.service.byOwner;
    const requests = [
      () => playground.runPlayground({ body: body as never }),
      () => collect(playground.runPlayground.events({ body: body as never })),
    ];
    for (const request of requests)
      await expect(request()).rejects.toMatchObject(errorMatching(400, message));
    expect(world.models.requests).toEqual([]);
  });

  test.each([
    [[], /^variants: /],
    [Array.from({ length: 11 }, () => ({ content: 'Hi' })), /^variants: Too big/],
    [[{ content: 'Hi' }, { config: {} }], /^variants\[1\]\.content: is required$/],
  ])(
    '%# a comparison with too few, too many or invalid variants is rejected',
    async (variants, message) => {
      await expect(compare(variants)).rejects.toMatchObject(errorMatching(400, message));
      expect(world.models.requests).toEqual([]);
    },
  );

  test('the documentation mentions streaming', async () => {
    const response = await fetch(`${world.service.urls.public}/openapi.json`);
    const { paths } = (await response.json()) as { paths: Record<string, Record<string, object>> };
    expect(paths['/api/v1/prompts/playground/']?.post).toMatchObject({
      responses: { 200: { content: { 'application/json': {}, 'text/event-stream': {} } } },
    });
  });

  test('an API key cannot use the playground', async () => {
    const response = world.service.byKey.playground.runPlayground({ body: { content: 'Hi' } });
    await expect(response).rejects.toMatchObject({ status: 401 });
  });
});
