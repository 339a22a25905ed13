import { expect } from 'vitest';
import type { PlaygroundEvent } from '#contract/playground.ts';
import type { TestControlPlane } from './control-plane.ts';
import { MODEL_KEY, type ModelProvider } from './model-provider.ts';

export const chat = [
  { role: 'system' as const, content: 'You are {{mood}}.' },
  { role: 'user' as const, content: [{ type: 'text' as const, text: 'Hello {{ name }}' }] },
];

/** Prices are USD per million tokens: of input, of input from the cache, of output. */
export const providers = [
  { provider: 'openai', model: 'gpt-4o-mini', picky: 'gpt-5', prices: [0.15, 0.075, 0.6] },
  {
    provider: 'anthropic',
    model: 'claude-sonnet-4-6',
    picky: 'claude-opus-4-7',
    prices: [3, 0.3, 15],
  },
] as const;

export const settings = (models: ModelProvider, provider: string, more: object = {}) => ({
  LLM_PROVIDER: provider,
  LLM_BASE_URL: provider === 'openai' ? `${models.url}/v1` : models.url,
  LLM_API_KEY: MODEL_KEY,
  ...more,
});
export const streamOn = (service: TestControlPlane, body: object, signal?: AbortSignal) =>
  service.byOwner.playground.runPlayground.events(
    { body: { content: 'Hi', ...body } },
    signal && { signal },
  );

export async function collect(events: AsyncIterable<PlaygroundEvent>): Promise<PlaygroundEvent[]> {
  const all: PlaygroundEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

export const refused = (status: number, message: RegExp) => ({
  status,
  message: expect.stringMatching(message) as string,
});
