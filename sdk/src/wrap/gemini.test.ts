import { GoogleGenAI } from '@google/genai';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  type LocalServer,
  observerOf,
  startLocalServer,
  type TestObserver,
} from '#test/sdk/local-server.ts';
import { wrapGemini } from './gemini.ts';

let server: LocalServer;
let google: LocalServer;
let observed: TestObserver;
beforeEach(async () => {
  [server, google] = [await startLocalServer(), await startLocalServer()];
  observed = observerOf(server, { captureContent: true });
});
afterEach(async () => {
  await observed.observer.shutdown();
  await Promise.all([server.goAway(), google.goAway()]);
});

const gemini = (): GoogleGenAI =>
  wrapGemini(new GoogleGenAI({ apiKey: 'k', httpOptions: { baseUrl: google.url } }), {
    observer: observed.observer,
    task: 'greet',
  });

const usageMetadata = {
  promptTokenCount: 10,
  candidatesTokenCount: 4,
  thoughtsTokenCount: 6,
  cachedContentTokenCount: 3,
  totalTokenCount: 20,
};
const answer = (parts: object[], last = true): object => ({
  candidates: [{ content: { role: 'model', parts }, ...(last && { finishReason: 'STOP' }) }],
  modelVersion: 'gemini-3-flash-002',
  responseId: 'resp_1',
  ...(last && { usageMetadata }),
});
const recorded = {
  model: 'gemini-3-flash-002',
  provider: 'google',
  task: 'greet',
  response_id: 'resp_1',
  tokens_in: 10,
  tokens_out: 10,
  cache_read_tokens: 3,
  reasoning_tokens: 6,
  finish_reason: 'STOP',
  prompt_preview: 'hello',
  response_preview: 'one two',
};
const request = { model: 'gemini-3-flash', contents: 'hello' };

/** The arrived records of one type. */
async function arrived(kind: 'calls' | 'spans'): Promise<object[]> {
  await observed.observer.flush();
  return server.accepted.flatMap(({ body }) => (body[kind] ?? []) as object[]);
}

test('a response has its text, tokens of thoughts and requested tools', async () => {
  const tool = { functionCall: { id: 'f1', name: 'weather', args: { city: 'Rome' } } };
  google.behave = () => ({
    body: answer([{ text: 'thinking', thought: true }, { text: 'one two' }, tool]),
  });
  const { text } = await gemini().models.generateContent(request);
  expect(text).toBe('one two');
  const tool_calls = [{ id: 'f1', name: 'weather', arguments: { city: 'Rome' } }];
  expect(await arrived('calls')).toMatchObject([{ ...recorded, tool_calls }]);
});

test('streams are recorded, including those of a chat', async () => {
  google.behave = () => ({
    text: [answer([{ text: 'one ' }], false), answer([{ text: 'two' }])]
      .map((event) => `data: ${JSON.stringify(event)}\n\n`)
      .join(''),
    headers: { 'content-type': 'text/event-stream' },
  });
  const client = gemini();
  for await (const _chunk of await client.models.generateContentStream(request));
  const chat = client.chats.create({ model: 'gemini-3-flash' });
  for await (const _chunk of await chat.sendMessageStream({ message: 'hello' }));
  expect(await arrived('calls')).toMatchObject([
    { ...recorded, time_to_first_token_ms: expect.any(Number) },
    { ...recorded, prompt_preview: expect.stringContaining('hello') },
  ]);
});

test('embeddings are recorded', async () => {
  google.behave = () => ({ body: { embeddings: [{ values: [1] }] } });
  await gemini().models.embedContent({ model: 'gemini-embedding-001', contents: 'hello' });
  expect(await arrived('calls')).toMatchObject([{ model: 'gemini-embedding-001', tokens_in: 0 }]);
});

test('errors do not change, and are recorded as failed calls', async () => {
  google.behave = () => ({ status: 429, body: { error: { code: 429, message: 'Quota' } } });
  await expect(gemini().models.generateContent(request)).rejects.toMatchObject({ status: 429 });
  expect(await arrived('calls')).toEqual([]);
  expect(await arrived('spans')).toMatchObject([
    { name: 'greet gemini-3-flash', status: 'error', attributes: { provider: 'google' } },
  ]);
});
