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
    const text = await response.text();
    expect(text).toMatch(/data: \[DONE\]\s*$/);
    // The program did not request the chunk with the usage, which has no choices.
    expect(text).toContain('"choices":[{');
    expect(text).not.toContain('"choices":[]');
    expect(provider.requests[0]).toMatchObject({ stream_options: { include_usage: true } });
    const other = await anthropic()
      .create({ ...message, ...streamed })
      .asResponse();
    for await (const _bytes of other.body ?? []);
    expect(await arrived('calls')).toMatchObject([
      { ...answer, ...isStreamed },
      { ...claude, ...isStreamed },
    ]);
  });

  test('of a stream that the program reads into its own buffer', async () => {
    const chat = await openAi()
      .create({ ...question, ...streamed })
      .asResponse();
    expect(await readInto(chat)).toMatch(/data: \[DONE\]\s*$/);
    const whole = await openAi().create(question).asResponse();
    expect(JSON.parse(await readInto(whole))).toMatchObject({ model: 'gpt-4o' });
    expect(await arrived('calls')).toMatchObject([{ ...answer, ...isStreamed }, answer]);
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

async function readInto(response: Response): Promise<string> {
  const reader = response.body!.getReader({ mode: 'byob' });
  const decoder = new TextDecoder();
  let text = '';
  for (;;) {
    const { value, done } = await reader.read(new Uint8Array(7));
    if (done) return text;
    text += decoder.decode(value, { stream: true });
  }
}

test('bytes of a shared buffer are passed on and stay usable', async () => {
  const shared = Buffer.from('xx{"model":"m"}xx');
  const fetch = async () =>
    new Response(bodyOf([shared.subarray(2, 15)]), {
      headers: { 'content-type': 'application/json' },
    });
  const response = await openAi({ fetch }).create(question).asResponse();
  expect(await response.json()).toEqual({ model: 'm' });
  expect(shared.toString()).toBe('xx{"model":"m"}xx');
});

const bodyOf = (pieces: readonly Uint8Array[], error?: Error): ReadableStream<Uint8Array> => {
  const left = [...pieces];
  return new ReadableStream({
    pull(controller) {
      const piece = left.shift();
      if (piece) controller.enqueue(piece);
      else if (error) controller.error(error);
      else controller.close();
    },
  });
};

/** Cuts bytes into pieces, some of which may be empty. */
function piecesOf(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const ends = [...cuts.toSorted((a, b) => a - b), bytes.length];
  return ends.map((end, i) => bytes.slice(ends[i - 1] ?? 0, end));
}

const chunks = [
  { id: 'c', model: 'm', choices: [{ delta: { content: 'grüße, ' } }] },
  { choices: [{ delta: { content: 'Zoë ✓' } }] },
];
const usageChunk = { choices: [], usage: { prompt_tokens: 3, completion_tokens: 5 } };
const cuts = fc.array(fc.nat(300), { maxLength: 12 });
const lineEnds = fc.constantFrom('\n', '\r\n', '\r');

/** The bytes of a stream. They begin with one that is not UTF-8. */
function bytesOf(events: readonly object[], lineEnd: string, last: string): Uint8Array {
  const text = [...events.map((event) => JSON.stringify(event)), '[DONE]']
    .map((data) => `: note${lineEnd}event: message${lineEnd}data: ${data}`)
    .join(lineEnd + lineEnd);
  return Uint8Array.from([58, 255, ...new TextEncoder().encode(lineEnd + text + last)]);
}

/** Observes a stream. Returns the response of the agent and the calls. */
function observedStream(
  body: ReadableStream<Uint8Array>,
  hidesUsage: boolean,
): { response: Response; calls: object[] } {
  const calls: object[] = [];
  const observation = startObservation({
    body: {},
    reader: chatCompletionReader({}),
    record: (call) => calls.push(call),
    recordFailure: (_call, error) => expect.fail(String(error)),
    ...(hidesUsage && { isHidden: (event) => Object.hasOwn(event as object, 'usage') }),
  });
  const headers = { 'content-type': 'text/event-stream; charset=utf-8' };
  return { response: observeBody(new Response(body, { headers }), observation) as Response, calls };
}

test('the events of a stream are read wherever its bytes are split, with every line end', async () => {
  await fc.assert(
    fc.asyncProperty(
      cuts,
      lineEnds,
      fc.boolean(),
      fc.boolean(),
      async (at, lineEnd, hasLastLineEnd, hidesUsage) => {
        const last = hasLastLineEnd ? lineEnd + lineEnd : '';
        const bytes = bytesOf([...chunks, usageChunk], lineEnd, last);
        const { response, calls } = observedStream(bodyOf(piecesOf(bytes, at)), hidesUsage);
        const expected = hidesUsage ? bytesOf(chunks, lineEnd, last) : bytes;
        expect(new Uint8Array(await response.arrayBuffer())).toEqual(expected);
        expect(calls).toMatchObject([
          { model: 'm', responsePreview: 'grüße, Zoë ✓', tokensIn: 3, tokensOut: 5 },
        ]);
      },
    ),
  );
});

test('a stream that breaks passes all its bytes on first, wherever it breaks', async () => {
  await fc.assert(
    fc.asyncProperty(cuts, lineEnds, fc.nat(40), async (at, lineEnd, missing) => {
      const whole = bytesOf(chunks, lineEnd, '');
      const bytes = whole.slice(0, whole.length - missing);
      const body = bodyOf(piecesOf(bytes, at), new Error('broken'));
      const { response, calls } = observedStream(body, true);
      const read: number[] = [];
      const readAll = async (): Promise<void> => {
        for await (const piece of response.body ?? []) read.push(...piece);
      };
      await expect(readAll()).rejects.toThrow('broken');
      expect(Uint8Array.from(read)).toEqual(bytes);
      expect(calls).toMatchObject([{ model: 'm' }]);
    }),
  );
});
