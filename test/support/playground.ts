import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { PlaygroundEvent } from '#contract/playground.ts';
import { startTestControlPlane, type TestControlPlane } from './control-plane.ts';
import { databases } from './databases.ts';
import {
  expectedResponse,
  MODEL_KEY,
  type ModelProvider,
  startModelProvider,
} from './model-provider.ts';

export const chat = [
  { role: 'system' as const, content: 'You are {{mood}}.' },
  { role: 'user' as const, content: [{ type: 'text' as const, text: 'Hello {{ name }}' }] },
];

export const variables = { mood: 'kind', name: 'Ada' };

/** Prices are USD per million tokens: of input, of cached input, of output. */
export const providers = [
  { provider: 'openai', model: 'gpt-4o-mini', picky: 'gpt-5', prices: [0.15, 0.075, 0.6] },
  {
    provider: 'anthropic',
    model: 'claude-sonnet-4-6',
    picky: 'claude-opus-4-7',
    prices: [3, 0.3, 15],
  },
] as const;

export const providersOnDatabases = providers.flatMap((using) =>
  databases.map((kind) => ({ ...using, kind })),
);
type Using = (typeof providersOnDatabases)[number];

/** Sets up a control plane, and the model provider that its playground calls. */
export function setUpPlayground({ kind, provider }: Using) {
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
    models.abortedRequests = 0;
  });
  return {
    get models() {
      return models;
    },
    get service() {
      return service;
    },
  };
}

/** The expected response to `chat` with `variables`. */
export function expectedChatResult({ provider, model, prices }: Using) {
  const system = provider === 'openai' ? 'You are kind.' : '(You are kind.)';
  const output = expectedResponse(model, [system, 'Hello Ada']);
  const [tokens_in, tokens_out] = [5, output.split(' ').length];
  // Two tokens of the input come from the provider's cache.
  const cost = ((tokens_in - 2) * prices[0] + 2 * prices[1] + tokens_out * prices[2]) / 1e6;
  return {
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
}

export const settings = (models: ModelProvider, provider: string, more: object = {}) => ({
  LLM_PROVIDER: provider,
  LLM_BASE_URL: provider === 'openai' ? `${models.url}/v1` : models.url,
  LLM_API_KEY: MODEL_KEY,
  ...more,
});
export const streamPlayground = (service: TestControlPlane, body: object, signal?: AbortSignal) =>
  service.byOwner.playground.runPlayground.events(
    { body: { content: 'Hi', ...body } },
    signal && { signal },
  );

export async function collect(events: AsyncIterable<PlaygroundEvent>): Promise<PlaygroundEvent[]> {
  const all: PlaygroundEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

export const errorMatching = (status: number, message: RegExp) => ({
  status,
  message: expect.stringMatching(message) as string,
});
