import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import { freePort } from '../support/processes.ts';
import {
  expectedResponse,
  MODEL_KEY,
  type ModelProvider,
  startModelProvider,
} from '../support/model-provider.ts';
import {
  providers,
  settings,
  streamPlayground,
  collect,
  errorMatching,
} from '../support/playground.ts';

const runOn = (service: TestControlPlane, body: object) =>
  service.byOwner.playground.runPlayground({ body: { content: 'Hi', ...body } });

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
  ])('with %j every route reports what is missing', async (env, message) => {
    await withSettings(env, async (service) => {
      const variants = [{ content: 'Hi' }];
      const requests = [
        () => runOn(service, {}),
        () => collect(streamPlayground(service, {})),
        () => service.byOwner.playground.comparePlayground({ body: { variants } }),
      ];
      for (const send of requests)
        await expect(send()).rejects.toMatchObject(errorMatching(400, message));
    });
  });

  test.each(providers)('a key that $provider refuses is not shown', async ({ provider, model }) => {
    const env = settings(models, provider, { LLM_API_KEY: 'sk-wrong-0123456789' });
    const config = { model };
    await withSettings(env, (service) =>
      expect(runOn(service, { config })).rejects.toMatchObject(
        errorMatching(502, /^the model provider rejected LLM_API_KEY$/),
      ),
    );
  });

  test('problems in the settings are reported before a prompt is run', async () => {
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

  test('without an API key none is sent, and a provider that requires one is quoted', async () => {
    const env = settings(models, 'openai', { LLM_API_KEY: '' });
    await withSettings(env, (service) =>
      expect(runOn(service, {})).rejects.toMatchObject(
        errorMatching(502, /^the model provider requires an API key: LLM_API_KEY is not set$/),
      ),
    );
  });

  test.each(providers)(
    'LLM_TIMEOUT_SECONDS applies to $provider, also for streams',
    async ({ provider }) => {
      const env = settings(models, provider, { LLM_TIMEOUT_SECONDS: '5' });
      const message =
        /^the model provider did not finish within 5 seconds \(LLM_TIMEOUT_SECONDS\)$/;
      await withSettings(env, async (service) => {
        const variants = [{ content: 'Hi', config: { model: 'silent' } }];
        const comparing = service.byOwner.playground.comparePlayground({ body: { variants } });
        const [silent, stalled] = await Promise.allSettled([
          runOn(service, { config: { model: 'silent' } }),
          collect(streamPlayground(service, { config: { model: 'stalls' } })),
        ]);
        expect(silent).toMatchObject({ reason: errorMatching(504, message) });
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
        // Timers may end slightly earlier than clocks show.
        expect(compared?.latency_ms).toBeGreaterThan(4900);
      });
    },
  );

  test('an unreachable provider is named by its address', async () => {
    const env = { LLM_BASE_URL: `http://127.0.0.1:${await freePort()}/v1`, LLM_API_KEY: MODEL_KEY };
    await withSettings(env, (service) =>
      expect(runOn(service, {})).rejects.toMatchObject(
        errorMatching(
          502,
          /^connection to the model provider at 127.0.0.1:\d+ failed: ECONNREFUSED/,
        ),
      ),
    );
  });

  test('an older server gets the parameters that it supports; defaults follow the specification', async () => {
    await withSettings(settings(models, 'openai'), async (service) => {
      models.requests.length = 0;
      const config = { model: 'old-server-model' };
      const [last] = (await collect(streamPlayground(service, { config }))).slice(-1);
      // This server does not report tokens in streams.
      expect(last).toMatchObject({
        output: expectedResponse('old-server-model', ['Hi']),
        tokens_in: 0,
      });
      await runOn(service, {});
      expect(models.requests.at(-1)).toMatchObject({
        model: 'gpt-4o-mini',
        temperature: 0.7,
        max_tokens: 1024,
      });
    });
  });
});
