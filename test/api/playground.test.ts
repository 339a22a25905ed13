import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { PlaygroundEvent } from '#contract/playground.ts';
import { OWNER, startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import { databases } from '../support/databases.ts';
import { freePort } from '../support/processes.ts';
import {
  answerOf,
  MODEL_KEY,
  type ModelProvider,
  startModelProvider,
} from '../support/model-provider.ts';
import { TOOL_ARGUMENTS } from '../support/model-wire.ts';

const chat = [
  { role: 'system' as const, content: 'You are {{mood}}.' },
  { role: 'user' as const, content: [{ type: 'text' as const, text: 'Hello {{ name }}' }] },
];
const variables = { mood: 'kind', name: 'Ada' };

/** Prices are USD per million tokens: of input, of input from the cache, of output. */
const providers = [
  { provider: 'openai', model: 'gpt-4o-mini', picky: 'gpt-5', prices: [0.15, 0.075, 0.6] },
  {
    provider: 'anthropic',
    model: 'claude-sonnet-4-6',
    picky: 'claude-opus-4-7',
    prices: [3, 0.3, 15],
  },
] as const;
const everywhere = providers.flatMap((using) => databases.map((kind) => ({ ...using, kind })));

const settings = (models: ModelProvider, provider: string, more: object = {}) => ({
  LLM_PROVIDER: provider,
  LLM_BASE_URL: provider === 'openai' ? `${models.url}/v1` : models.url,
  LLM_API_KEY: MODEL_KEY,
  ...more,
});

const runOn = (service: TestControlPlane, body: object) =>
  service.byOwner.playground.runPlayground({ body: { content: 'Hi', ...body } });
const streamOn = (service: TestControlPlane, body: object, signal?: AbortSignal) =>
  service.byOwner.playground.runPlayground.events(
    { body: { content: 'Hi', ...body } },
    signal && { signal },
  );

async function collect(events: AsyncIterable<PlaygroundEvent>): Promise<PlaygroundEvent[]> {
  const all: PlaygroundEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

const refused = (status: number, message: RegExp) => ({
  status,
  message: expect.stringMatching(message) as string,
});

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await sleep(5);
}

describe.each(everywhere)('the playground of $provider on $kind', (using) => {
  const { kind, provider, model, picky, prices } = using;
  let models: ModelProvider;
  let service: TestControlPlane;
  beforeAll(async () => {
    models = await startModelProvider();
    service = await startTestControlPlane(kind, settings(models, provider));
  });
  afterAll(async () => {
    await service.stop();
    await models.stop();
  });
  afterEach(() => {
    models.requests.length = 0;
    models.abandoned = 0;
  });

  const run = (body: object) => runOn(service, body);
  const system = provider === 'openai' ? 'You are kind.' : '(You are kind.)';
  const output = answerOf(model, [system, 'Hello Ada']);
  const [tokens_in, tokens_out] = [5, output.split(' ').length];
  // Two tokens of the input come from the provider's cache.
  const cost = ((tokens_in - 2) * prices[0] + 2 * prices[1] + tokens_out * prices[2]) / 1e6;
  const result = {
    output,
    model,
    tokens_in,
    tokens_out,
    cost: expect.closeTo(cost, 12) as number,
    latency_ms: expect.any(Number) as number,
    missing_variables: [],
    ignored_settings: [],
    tool_calls: [],
  };

  test('answers with output, tokens, cost and time, variables put in everywhere', async () => {
    const config = { model, temperature: 0.2, max_tokens: 50 };
    expect(await run({ content: chat, config, variables })).toEqual(result);
    expect(models.requests).toMatchObject([{ model, temperature: 0.2, max_tokens: 50 }]);
  });

  test('streams the same in pieces, and last the whole', async () => {
    const body = { content: chat, config: { model }, variables };
    const events = await collect(streamOn(service, body));
    const pieces = events
      .slice(0, -1)
      .map((event) => ('delta' in event ? event.delta : 'no delta'));
    expect(pieces.length).toBeGreaterThan(3);
    expect(pieces.join('')).toBe(output);
    expect(events.at(-1)).toEqual(result);
  });

  test('what the tenant says a model costs holds here too', async () => {
    const params = { model_id: picky };
    const { costs } = service.byKey;
    const price = { input_cost_per_million: 1_000_000, output_cost_per_million: 0 };
    await costs.putModelCost({ params, body: price });
    const { cost: own, tokens_in: read } = await run({ content: 'Hi', config: { model: picky } });
    await costs.deleteModelCost({ params });
    expect(own).toBeGreaterThan(0);
    expect(own).toBeLessThanOrEqual(read);
  });

  test('text is one message of the user; a variable without value stays and is named', async () => {
    const content = '{{n}} for {{who}}';
    expect(await run({ content, config: { model }, variables: { n: 3 } })).toMatchObject({
      output: answerOf(model, ['3 for {{who}}']),
      missing_variables: ['who'],
    });
    expect(models.requests[0]?.messages).toEqual([{ role: 'user', content: '3 for {{who}}' }]);
  });

  test('a model that refuses a setting runs without it, and the answer says so', async () => {
    const body = { config: { model: picky, temperature: 0.5, max_tokens: 77 } };
    const whole = { output: answerOf(picky, ['Hi']), ignored_settings: ['temperature'] };
    expect(await run(body)).toMatchObject(whole);
    expect((await collect(streamOn(service, body))).at(-1)).toMatchObject(whole);
    const last = models.requests.at(-1) ?? {};
    expect(last).not.toHaveProperty('temperature');
    expect([last.max_tokens, last.max_completion_tokens]).toContain(77);
  });

  test('a stored prompt’s config is taken whole; what is not sent is named', async () => {
    const stored = { top_p: 0.5, stop: 'END', seed: 7, top_k: 3, presence_penalty: null };
    const body = { config: { model, ...stored } };
    const { ignored_settings } = await run(body);
    const streamed = (await collect(streamOn(service, body))).at(-1);
    expect(streamed).toMatchObject({ ignored_settings });
    const [sent, ignored] =
      provider === 'openai'
        ? [{ top_p: 0.5, stop: 'END', seed: 7 }, ['top_k']]
        : [{ top_p: 0.5, stop_sequences: ['END'] }, ['seed', 'top_k']];
    expect(ignored_settings.toSorted()).toEqual(ignored);
    expect(models.requests).toMatchObject([sent, sent]);
    for (const request of models.requests) expect(request).not.toHaveProperty('top_k');
  });

  test('a tool in OpenAI’s form reaches the model, and its call comes back, streamed or not', async () => {
    const parameters = { type: 'object', properties: { city: { type: 'string' } } };
    const tools = [{ type: 'function', function: { name: 'get_weather', parameters } }];
    const body = { config: { model, tools } };
    const tool_calls = [{ id: 'call_1', name: 'get_weather', arguments: TOOL_ARGUMENTS }];
    const called = { output: '', tool_calls, ignored_settings: [] };
    expect(await run(body)).toMatchObject(called);
    const events = await collect(streamOn(service, body));
    expect(events).toEqual([expect.objectContaining(called)]);
    const sent =
      provider === 'openai' ? tools[0] : { name: 'get_weather', input_schema: parameters };
    expect(models.requests[0]?.tools).toEqual([sent]);
  });

  test('a response format is sent where the provider has one, and its refusal is quoted', async () => {
    const response_format = { type: 'json_object' };
    const config = { model, response_format };
    const [ignored, sent, withoutTheWord] =
      provider === 'anthropic'
        ? [['response_format'], undefined, /^answered$/]
        : [[], response_format, /must contain the word 'json'/];
    expect((await run({ content: 'As JSON', config })).ignored_settings).toEqual(ignored);
    expect(models.requests[0]?.response_format).toEqual(sent);
    const outcome = await run({ config }).then(
      () => 'answered',
      (error: Error) => error.message,
    );
    expect(outcome).toMatch(withoutTheWord);
  });

  test('the provider is described with the models that it lists', async () => {
    const described = await service.byOwner.playground.getPlaygroundProvider();
    expect(described).toMatchObject({
      provider,
      host: new URL(models.url).host,
      problem: null,
      models_problem: null,
    });
    expect(described.models).toContain(model);
  });

  test.each([
    ['nobody-knows-it', 404, /^the model provider has no model "nobody-knows-it": /],
    ['limited', 429, /^the model provider's rate limit is exceeded: Rate limit reached$/],
    ['down', 502, /^the model provider failed \(503\): The server is overloaded, …$/],
    ['garbled', 502, /^the model provider's response is invalid: /],
  ])(
    'the model %j: its provider’s error is told, and nothing is tried twice',
    async (name, status, message) => {
      const body = { config: { model: name } };
      await expect(run(body)).rejects.toMatchObject(refused(status, message));
      expect(models.requests).toHaveLength(1);
      // Before the first piece of a stream, an error is an ordinary answer.
      await expect(collect(streamOn(service, body))).rejects.toMatchObject(
        refused(status, message),
      );
    },
  );

  test("the provider's error message is passed on", async () => {
    const content = [{ role: 'user', content: [{ type: 'video', url: 'x' }] }];
    await expect(run({ content, config: { model } })).rejects.toMatchObject(
      refused(400, /^the model provider rejected the request: .*messages/),
    );
  });

  const ask = async (body: object, path = ''): Promise<Response> => {
    const { token } = await service.by({}).identity.login({ body: OWNER });
    return fetch(`${service.urls.public}/api/v1/prompts/playground/${path}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}` },
      body: JSON.stringify({ content: 'Hi', ...body }),
    });
  };

  test('a limited rate says when to come again', async () => {
    const response = await ask({ config: { model: 'limited' } });
    expect(response.headers.get('retry-after')).toBe('7');
  });

  test('a stream is server-sent events that nothing on the way may hold back', async () => {
    const { headers, body } = await ask({ config: { model }, stream: true });
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
    expect(await collect(streamOn(service, { config: { model: name } }))).toEqual([
      { delta: 'half an ' },
      { error: expect.stringMatching(message) as string, reason: 'model_provider_failed' },
    ]);
  });

  test("closing the connection cancels the provider's request", async () => {
    const streaming = new AbortController();
    const events = streamOn(service, { config: { model: 'stalls' } }, streaming.signal);
    expect(await events.next()).toEqual({ done: false, value: { delta: 'half an ' } });
    expect(models.abandoned).toBe(0);
    streaming.abort();
    await expect(events.next()).rejects.toThrow(/abort/);
    await until(() => models.abandoned === 1);

    // Also who stops reading, and who waits for a whole answer.
    for await (const event of streamOn(service, { config: { model: 'stalls' } }))
      if ('delta' in event) break;
    await until(() => models.abandoned === 2);

    const waiting = new AbortController();
    const asked = service.byOwner.playground.runPlayground(
      { body: { content: 'Hi', config: { model: 'silent' } } },
      { signal: waiting.signal },
    );
    await until(() => models.requests.length === 3);
    waiting.abort();
    await expect(asked).rejects.toThrow(/abort/);
    await until(() => models.abandoned === 3);
  });

  const compare = (variants: object[]) =>
    service.byOwner.playground.comparePlayground({ body: { variants: variants as never } });

  test('a comparison keeps the order, and what fails loses nothing of the others', async () => {
    const { results } = await compare([
      { content: 'one', config: { model } },
      { content: '{{two}}', config: { model: 'down' } },
      { content: chat, variables, config: { model } },
      { content: 'four', config: { model: 'nobody-knows-it' } },
    ]);
    const failed = {
      output: '',
      tokens_in: 0,
      tokens_out: 0,
      cost: 0,
      latency_ms: expect.any(Number) as number,
    };
    expect(results).toEqual([
      expect.objectContaining({ output: answerOf(model, ['one']), error: null }),
      {
        ...failed,
        model: 'down',
        missing_variables: ['two'],
        ignored_settings: [],
        tool_calls: [],
        error: 'the model provider failed (503): The server is overloaded, …',
      },
      { ...result, error: null },
      expect.objectContaining({ ...failed, error: expect.stringMatching(/no model/) as string }),
    ]);
  });

  const repeated = { content: '{{a}}'.repeat(4000), variables: { a: 'x'.repeat(100_000) } };
  const tooLong =
    /^content: 400000000 characters with its variables filled in, at most 2000000 allowed$/;

  test('a prompt that its variables would make too long is refused, streamed or not', async () => {
    await expect(run(repeated)).rejects.toMatchObject(refused(400, tooLong));
    await expect(collect(streamOn(service, repeated))).rejects.toMatchObject(refused(400, tooLong));
    const content = [1, 2, 3].map(() => ({ role: 'user', content: '{{a}}' }));
    const variables = { a: 'x'.repeat(700_000) };
    await expect(run({ content, variables })).rejects.toMatchObject(refused(400, /2100000 char/));
    expect(models.requests).toEqual([]);
    const longest = { content: '{{a}}{{a}}', variables: { a: 'x'.repeat(1_000_000) } };
    expect((await run({ ...longest, config: { model } })).output).toHaveLength(
      2_000_000 + answerOf(model, ['']).length,
    );
  });

  test('in a comparison, variants that would become too long fail alone', async () => {
    const { results } = await compare([
      ...Array.from({ length: 9 }, () => repeated),
      { content: 'short', config: { model } },
    ]);
    for (const { error } of results.slice(0, 9)) expect(error).toMatch(tooLong);
    expect(results[9]).toMatchObject({ output: answerOf(model, ['short']), error: null });
  });

  test('an unexpected error fails only its own variant, in the form of other errors', async () => {
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    let broken = 0;
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
      if (ms === 60_000 && (broken += 1) === 1) throw new TypeError('unforeseen');
      return timeout(ms);
    });
    const variants = [{ content: 'one' }, { content: 'two', config: { model } }];
    const response = await ask({ variants, content: undefined }, 'compare/').finally(() =>
      vi.restoreAllMocks(),
    );
    const { results } = (await response.json()) as { results: object[] };
    const id = response.headers.get('x-request-id');
    expect(results).toEqual([
      expect.objectContaining({
        output: '',
        error: `internal error (request ${id})`,
      }),
      expect.objectContaining({ output: answerOf(model, ['two']), error: null }),
    ]);
  });

  test('a comparison asks for all at once', async () => {
    const both = { content: 'Hi', config: { model: 'both' } };
    const { results } = await compare([both, both]);
    expect(results.map(({ error, cost }) => ({ error, cost }))).toEqual([
      { error: null, cost: 0 },
      { error: null, cost: 0 },
    ]);
  });

  test.each([
    [{}, /^content: is required$/],
    [{ content: 'Hi', config: { temperature: 'hot' } }, /^config\.temperature: /],
    [{ content: 'Hi', config: { max_tokens: 0 } }, /^config\.max_tokens: /],
    [{ content: 'Hi', config: { top_p: 2 } }, /^config\.top_p: /],
    [{ content: 'Hi', config: { stop: 3 } }, /^config\.stop: expected a text or an array/],
    [{ content: 'Hi', variables: [] }, /^variables: /],
    [{ content: [{ role: 'robot', content: 'x' }] }, /^content: message 0: role: /],
  ])('%j is refused before anybody is asked', async (body, message) => {
    const { playground } = service.byOwner;
    const asks = [
      () => playground.runPlayground({ body: body as never }),
      () => collect(playground.runPlayground.events({ body: body as never })),
    ];
    for (const ask of asks) await expect(ask()).rejects.toMatchObject(refused(400, message));
    expect(models.requests).toEqual([]);
  });

  test.each([
    [[], /^variants: /],
    [Array.from({ length: 11 }, () => ({ content: 'Hi' })), /^variants: Too big/],
    [[{ content: 'Hi' }, { config: {} }], /^variants\[1\]\.content: is required$/],
  ])(
    '%# a comparison of too few, too many or bad variants is refused',
    async (variants, message) => {
      await expect(compare(variants)).rejects.toMatchObject(refused(400, message));
      expect(models.requests).toEqual([]);
    },
  );

  test('the documentation says that it can stream', async () => {
    const response = await fetch(`${service.urls.public}/openapi.json`);
    const { paths } = (await response.json()) as { paths: Record<string, Record<string, object>> };
    expect(paths['/api/v1/prompts/playground/']?.post).toMatchObject({
      responses: { 200: { content: { 'application/json': {}, 'text/event-stream': {} } } },
    });
  });

  test('an API key does not open the playground', async () => {
    const asked = service.byKey.playground.runPlayground({ body: { content: 'Hi' } });
    await expect(asked).rejects.toMatchObject({ status: 401 });
  });
});

describe('the playground’s settings', () => {
  let models: ModelProvider;
  beforeAll(async () => {
    models = await startModelProvider();
  });
  afterAll(() => models.stop());

  const withSettings = async <T>(
    env: Record<string, string>,
    work: (service: TestControlPlane) => Promise<T>,
  ): Promise<T> => {
    const service = await startTestControlPlane('sqlite', env);
    try {
      return await work(service);
    } finally {
      await service.stop();
    }
  };

  test.each([
    [{}, /neither LLM_API_KEY nor, for a server without a key, LLM_BASE_URL is set$/],
    [{ LLM_PROVIDER: 'anthropic' }, /LLM_API_KEY is not set$/],
  ])('with %j it says what is missing, in each way of asking', async (env, message) => {
    await withSettings(env, async (service) => {
      const variants = [{ content: 'Hi' }];
      const asks = [
        () => runOn(service, {}),
        () => collect(streamOn(service, {})),
        () => service.byOwner.playground.comparePlayground({ body: { variants } }),
      ];
      for (const ask of asks) await expect(ask()).rejects.toMatchObject(refused(400, message));
    });
  });

  test.each(providers)('a key that $provider refuses is not shown', async ({ provider, model }) => {
    const env = settings(models, provider, { LLM_API_KEY: 'sk-wrong-0123456789' });
    const config = { model };
    await withSettings(env, (service) =>
      expect(runOn(service, { config })).rejects.toMatchObject(
        refused(502, /^the model provider rejected LLM_API_KEY$/),
      ),
    );
  });

  test('what is wrong with the settings is known before a prompt is run', async () => {
    await withSettings({ LLM_API_KEY: '' }, async (service) => {
      const { problem, models: listed } = await service.byOwner.playground.getPlaygroundProvider();
      expect(problem).toMatch(/^no model provider is configured: neither LLM_API_KEY nor/);
      expect(listed).toEqual([]);
    });
    const wrong = settings(models, 'anthropic', { LLM_API_KEY: 'sk-wrong-0123456789' });
    await withSettings(wrong, async (service) => {
      expect(await service.byOwner.playground.getPlaygroundProvider()).toMatchObject({
        problem: null,
        models: [],
        models_problem: 'the model provider rejected LLM_API_KEY',
      });
    });
  });

  test('without a key none is sent, and a provider that wants one is quoted so', async () => {
    const env = settings(models, 'openai', { LLM_API_KEY: '' });
    await withSettings(env, (service) =>
      expect(runOn(service, {})).rejects.toMatchObject(
        refused(502, /^the model provider requires an API key: LLM_API_KEY is not set$/),
      ),
    );
  });

  test.each(providers)(
    '$provider has LLM_TIMEOUT_SECONDS, for a stream too',
    async ({ provider }) => {
      const env = settings(models, provider, { LLM_TIMEOUT_SECONDS: '1' });
      const message =
        /^the model provider did not finish within 1 seconds \(LLM_TIMEOUT_SECONDS\)$/;
      await withSettings(env, async (service) => {
        const variants = [{ content: 'Hi', config: { model: 'silent' } }];
        const comparing = service.byOwner.playground.comparePlayground({ body: { variants } });
        const [silent, stalled] = await Promise.allSettled([
          runOn(service, { config: { model: 'silent' } }),
          collect(streamOn(service, { config: { model: 'stalls' } })),
        ]);
        expect(silent).toMatchObject({ reason: refused(504, message) });
        expect(stalled).toMatchObject({
          value: [
            { delta: 'half an ' },
            {
              error: expect.stringMatching(message) as string,
              reason: 'model_provider_timeout',
            },
          ],
        });
        const [compared] = (await comparing).results;
        expect(compared?.error).toMatch(message);
        // Timers of a second may end a little earlier than clocks say.
        expect(compared?.latency_ms).toBeGreaterThan(900);
      });
    },
  );

  test('a provider that is not there is named by its address', async () => {
    const env = { LLM_BASE_URL: `http://127.0.0.1:${await freePort()}/v1`, LLM_API_KEY: MODEL_KEY };
    await withSettings(env, (service) =>
      expect(runOn(service, {})).rejects.toMatchObject(
        refused(502, /^connection to the model provider at 127.0.0.1:\d+ failed: ECONNREFUSED/),
      ),
    );
  });

  test('an older server gets the parameters it knows; the defaults are those of the specification', async () => {
    await withSettings(settings(models, 'openai'), async (service) => {
      models.requests.length = 0;
      const config = { model: 'old-server-model' };
      const [last] = (await collect(streamOn(service, { config }))).slice(-1);
      // It does not count tokens in a stream.
      expect(last).toMatchObject({ output: answerOf('old-server-model', ['Hi']), tokens_in: 0 });
      await runOn(service, {});
      expect(models.requests.at(-1)).toMatchObject({
        model: 'gpt-4o-mini',
        temperature: 0.7,
        max_tokens: 1024,
      });
    });
  });
});
