import { createOpenAI } from '@ai-sdk/openai';
import { embed, generateText, stepCountIs, streamText, tool } from 'ai';
import { MockEmbeddingModelV4, MockLanguageModelV4 } from 'ai/test';
import { afterEach, beforeEach, expect, test } from 'vitest';
import * as z from 'zod';
import {
  type LocalServer,
  observerOf,
  startLocalServer,
  type TestObserver,
} from '#test/sdk/local-server.ts';
import { MODEL_KEY, type ModelProvider, startModelProvider } from '#test/support/model-provider.ts';
import { aiSdkTelemetry } from './ai-sdk.ts';

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

const telemetry = (functionId?: string) => ({
  integrations: [aiSdkTelemetry({ observer: observed.observer })],
  ...(functionId && { functionId }),
});
const chat = (model: string) =>
  createOpenAI({ apiKey: MODEL_KEY, baseURL: `${provider.url}/v1` }).chat(model);

type Sent = Record<string, unknown>;

/** The arrived records of one type. The starts and ends of runs are selected by their path. */
async function arrived(kind: 'calls' | 'spans' | 'start/' | 'complete/'): Promise<Sent[]> {
  await observed.observer.flush();
  if (kind.endsWith('/'))
    return server.accepted.filter(({ path }) => path.endsWith(kind)).map(({ body }) => body);
  return server.accepted.flatMap(({ body }) => (body[kind] ?? []) as Sent[]);
}

test('a generation becomes a run with its LLM call', async () => {
  const { text } = await generateText({
    model: chat('gpt-4o'),
    prompt: 'one two',
    telemetry: telemetry('greeter'),
  });
  expect(text).toBe('gpt-4o heard: one two');
  expect(await arrived('start/')).toMatchObject([{ agent_name: 'greeter' }]);
  expect(await arrived('calls')).toMatchObject([
    {
      model: 'gpt-4o',
      provider: 'openai',
      response_id: 'chatcmpl-1',
      tokens_in: 2,
      cache_read_tokens: 2,
      finish_reason: 'stop',
      prompt_preview: expect.stringContaining('one two'),
      response_preview: 'gpt-4o heard: one two',
    },
  ]);
  expect(await arrived('complete/')).toMatchObject([{ status: 'success' }]);
});

test('a stream is recorded with the time to its first token', async () => {
  const { textStream } = streamText({
    model: chat('gpt-4o'),
    prompt: 'one two',
    telemetry: telemetry(),
  });
  for await (const _piece of textStream);
  expect(await arrived('calls')).toMatchObject([
    { response_preview: 'gpt-4o heard: one two', time_to_first_token_ms: expect.any(Number) },
  ]);
  expect(await arrived('complete/')).toHaveLength(1);
});

test('tools are spans, and records inside them are their children', async () => {
  const usage = {
    inputTokens: { total: 3, noCache: 3, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  };
  const results = [
    {
      content: [
        {
          type: 'tool-call' as const,
          toolCallId: 'c1',
          toolName: 'weather',
          input: '{"city":"Rome"}',
        },
      ],
      finishReason: { unified: 'tool-calls' as const, raw: 'tool_calls' },
    },
    {
      content: [{ type: 'text' as const, text: 'sunny' }],
      finishReason: { unified: 'stop' as const, raw: 'stop' },
    },
  ];
  const model = new MockLanguageModelV4({
    doGenerate: () => Promise.resolve({ ...results.shift()!, usage, warnings: [] }),
  });
  const weather = tool({
    inputSchema: z.object({ city: z.string() }),
    execute: async ({ city }) => {
      await Promise.resolve();
      observed.observer.currentRun()?.recordTool({ name: 'inner' });
      return `sun in ${city}`;
    },
  });
  await generateText({
    model,
    prompt: 'weather?',
    tools: { weather },
    stopWhen: stepCountIs(3),
    telemetry: telemetry(),
  });
  expect(await arrived('start/')).toHaveLength(1);
  expect(await arrived('calls')).toMatchObject([
    { tool_calls: [{ id: 'c1', name: 'weather', arguments: { city: 'Rome' } }] },
    { response_preview: 'sunny' },
  ]);
  const [inner, outer] = await arrived('spans');
  expect(outer).toMatchObject({ name: 'weather', kind: 'tool', input_data: { city: 'Rome' } });
  expect(inner).toMatchObject({ name: 'inner', parent_span_id: outer?.span_id });
});

test('inside a run, all records belong to it', async () => {
  const run = observed.observer.startRun({ agentName: 'mine' });
  await run.within(() =>
    generateText({ model: chat('gpt-4o'), prompt: 'hi', telemetry: telemetry() }),
  );
  run.complete();
  expect(await arrived('start/')).toMatchObject([{ agent_name: 'mine' }]);
  expect(await arrived('calls')).toHaveLength(1);
});

test('a failed call is recorded as such, and its run has failed', async () => {
  const request = generateText({
    model: chat('limited'),
    prompt: 'hi',
    maxRetries: 0,
    telemetry: telemetry(),
  });
  await expect(request).rejects.toThrow('Rate limit');
  expect(await arrived('calls')).toEqual([]);
  expect(await arrived('spans')).toMatchObject([{ name: 'call limited', status: 'error' }]);
  expect(await arrived('complete/')).toMatchObject([{ status: 'error' }]);
});

test('embeddings are LLM calls', async () => {
  const model = new MockEmbeddingModelV4({
    doEmbed: { embeddings: [[1]], usage: { tokens: 4 }, warnings: [] },
  });
  await embed({ model, value: 'hi', telemetry: telemetry() });
  expect(await arrived('calls')).toMatchObject([{ tokens_in: 4, prompt_preview: '["hi"]' }]);
});
