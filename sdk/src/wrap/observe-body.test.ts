import Anthropic from '@anthropic-ai/sdk';
import fc from 'fast-check';
import OpenAI from 'openai';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { MODEL_KEY, type ModelProvider, startModelProvider } from '#test/support/model-provider.ts';
import {
  type LocalServer,
  observerOf,
  startLocalServer,
  type TestObserver,
} from '#test/sdk/local-server.ts';
import { wrapAnthropic } from './anthropic.ts';
import { startObservation } from './call-observation.ts';
import { observeBody } from './observe-body.ts';
import { chatCompletionReader } from './openai-readers.ts';
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

async function arrived(kind: 'calls' | 'spans'): Promise<Record<string, unknown>[]> {
  await observed.observer.flush();
  return server.accepted.flatMap(({ body }) => (body[kind] ?? []) as Record<string, unknown>[]);
}

const openAi = (options = {}) =>
  wrapOpenAI(
    new OpenAI({ apiKey: MODEL_KEY, baseURL: `${provider.url}/v1`, maxRetries: 0, ...options }),
    { observer: observed.observer, streamUsage: true },
  ).chat.completions;
const anthropic = () =>
  wrapAnthropic(new Anthropic({ apiKey: MODEL_KEY, baseURL: provider.url, maxRetries: 0 }), {
    observer: observed.observer,
  }).messages;

const messages = [{ role: 'user' as const, content: 'one two three' }];
const question = { model: 'gpt-4o', messages };
const message = { model: 'claude-sonnet-4-6', max_tokens: 10, messages };
const streamed = { stream: true } as const;

const tokens = { tokens_in: 3, tokens_out: 5, cache_read_tokens: 2 };
const answer = {
  ...tokens,
  response_preview: 'gpt-4o heard: one two three',
  finish_reason: 'stop',
};
const claude = { ...tokens, response_preview: 'claude-sonnet-4-6 heard: one two three' };
const isStreamed = { time_to_first_token_ms: expect.any(Number) as number };

describe('withResponse', () => {
  test('of a complete response is recorded once', async () => {
    const { data, response } = await openAi().create(question).withResponse();
    expect([data.model, response.status, response.bodyUsed]).toEqual(['gpt-4o', 200, true]);
    const other = await anthropic().create(message).withResponse();
    expect(other.response.bodyUsed).toBe(true);
    expect(await arrived('calls')).toMatchObject([answer, claude]);
  });

  test('of a stream is recorded when the stream was read', async () => {
    const { data: chunks } = await openAi()
      .create({ ...question, ...streamed })
      .withResponse();
    const { data: events } = await anthropic()
      .create({ ...message, ...streamed })
      .withResponse();
    expect(await arrived('calls')).toEqual([]);
    for await (const _chunk of chunks);
    for await (const _event of events);
    expect(await arrived('calls')).toMatchObject([
      { ...answer, ...isStreamed },
      { ...claude, ...isStreamed },
    ]);
  });
});

describe('asResponse', () => {
  test('returns the same response, and is recorded when its body was read', async () => {
    const pending = openAi().create(question);
    const response = await pending.asResponse();
    expect(await pending.asResponse()).toBe(response);
    expect(response).toMatchObject({ status: 200, url: `${provider.url}/v1/chat/completions` });
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await arrived('calls')).toEqual([]);
    expect(await response.json()).toMatchObject({ model: 'gpt-4o' });
    const copy = (await anthropic().create(message).asResponse()).clone();
    expect(await copy.text()).toContain('claude-sonnet-4-6 heard: one two three');
    const calls = await arrived('calls');
    expect(calls).toMatchObject([answer, claude]);
    for (const call of calls) expect(call).not.toHaveProperty('time_to_first_token_ms');
  });

  test('of a stream is recorded when its bytes were read', async () => {
    const response = await openAi()
      .create({ ...question, ...streamed })
      .asResponse();
    expect(await arrived('calls')).toEqual([]);
    expect(await response.text()).toMatch(/data: \[DONE\]\s*$/);
    const other = await anthropic()
      .create({ ...message, ...streamed })
      .asResponse();
    for await (const _bytes of other.body ?? []);
    expect(await arrived('calls')).toMatchObject([
      { ...answer, ...isStreamed },
      { ...claude, ...isStreamed },
    ]);
  });

  test('of a stream that the agent cancels is recorded up to that point', async () => {
    const response = await openAi()
      .create({ model: 'stalls', messages, ...streamed })
      .asResponse();
    const reader = response.body?.getReader();
    await reader?.read();
    await reader?.cancel();
    expect(await arrived('calls')).toMatchObject([{ tokens_out: 0, response_preview: 'half an ' }]);
    await expect.poll(() => provider.abortedRequests).toBe(1);
  });

  test('of a stream that breaks is recorded up to that point', async () => {
    const response = await openAi()
      .create({ model: 'drops', messages, ...streamed })
      .asResponse();
    await expect(response.text()).rejects.toThrow();
    expect(await arrived('calls')).toMatchObject([{ response_preview: 'half an ' }]);
  });

  test('of a body that is read after it was parsed leaves the stream to the parser', async () => {
    const pending = openAi().create({ ...question, ...streamed });
    const stream = await pending;
    expect((await pending.asResponse()).bodyUsed).toBe(false);
    for await (const _chunk of stream);
    expect(await arrived('calls')).toMatchObject([answer]);
  });

  test('of a response that is parsed later is recorded once', async () => {
    const pending = openAi().create({ ...question, ...streamed });
    expect((await pending.asResponse()).headers.get('content-type')).toBe('text/event-stream');
    for await (const _chunk of await pending);
    expect(await arrived('calls')).toMatchObject([answer]);
  });

  test('of a rejected request is a failed call', async () => {
    const pending = openAi().create({ model: 'limited', messages });
    await expect(pending.asResponse()).rejects.toBeInstanceOf(OpenAI.RateLimitError);
    expect(await arrived('calls')).toEqual([]);
    expect(await arrived('spans')).toMatchObject([
      { status: 'error', attributes: { model: 'limited' } },
    ]);
  });

  test('of another implementation of fetch is recorded without tokens', async () => {
    const headers = new Headers({ 'content-type': 'application/json' });
    const other = { ok: true, status: 200, headers, body: null, text: async () => '{}' };
    const fetch = async () => other as unknown as Response;
    expect(await openAi({ fetch }).create(question).asResponse()).toBe(other);
    expect(await arrived('calls')).toMatchObject([
      { model: 'gpt-4o', tokens_in: 0, tokens_out: 0 },
    ]);
  });

  test('of the Responses API has the text of its output', async () => {
    const part = { type: 'output_text', text: 'ho', annotations: [] };
    const output = [{ type: 'reasoning' }, { type: 'message', content: [part] }];
    const usage = { input_tokens: 9, output_tokens: 2 };
    const fetch = async () => Response.json({ id: 'r', model: 'gpt-5', output, usage });
    const client = wrapOpenAI(new OpenAI({ apiKey: 'k', fetch }), { observer: observed.observer });
    const response = await client.responses.create({ model: 'gpt-5', input: 'hi' }).asResponse();
    await response.json();
    expect(await arrived('calls')).toMatchObject([
      { response_id: 'r', tokens_in: 9, tokens_out: 2, response_preview: 'ho' },
    ]);
  });
});

const bodyOf = (pieces: readonly Uint8Array[]): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });

test('the events of a stream are read wherever its bytes are split, with every line end', async () => {
  const events = [
    { id: 'c', model: 'm', choices: [{ delta: { content: 'grüße, ' } }] },
    { choices: [{ delta: { content: 'Zoë ✓' } }] },
    { choices: [], usage: { prompt_tokens: 3, completion_tokens: 5 } },
  ];
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat(300), { maxLength: 12 }),
      fc.constantFrom('\n', '\r\n', '\r'),
      fc.boolean(),
      async (cuts, lineEnd, hasLastLineEnd) => {
        const text = [...events.map((event) => JSON.stringify(event)), '[DONE]']
          .map((data) => `: note${lineEnd}event: message${lineEnd}data: ${data}`)
          .join(lineEnd + lineEnd);
        const bytes = new TextEncoder().encode(text + (hasLastLineEnd ? lineEnd + lineEnd : ''));
        const ends = [...cuts.toSorted((a, b) => a - b), bytes.length];
        const pieces = ends.map((end, i) => bytes.slice(ends[i - 1] ?? 0, end));
        const headers = { 'content-type': 'text/event-stream; charset=utf-8' };
        const calls: object[] = [];
        const observation = startObservation({
          body: {},
          reader: chatCompletionReader({}),
          record: (call) => calls.push(call),
          recordFailure: (_call, error) => expect.fail(String(error)),
        });
        const sent = new Response(bodyOf(pieces), { headers });
        const response = observeBody(sent, observation) as Response;
        expect(new Uint8Array(await response.arrayBuffer())).toEqual(bytes);
        expect(calls).toMatchObject([
          { model: 'm', responsePreview: 'grüße, Zoë ✓', tokensIn: 3, tokensOut: 5 },
        ]);
      },
    ),
  );
});
