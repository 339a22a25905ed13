import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  type LocalServer,
  observerOf,
  type Reply,
  startLocalServer,
} from '#test/sdk/local-server.ts';
import { PromptError } from './prompt.ts';

let server: LocalServer;
const text = {
  name: 'hello',
  version: 3,
  prompt_type: 'text',
  content: 'Hello {{ name }}, {{n}} times {{missing}}',
  config: { model: 'gpt-4o' },
  labels: ['production'],
  content_hash: 'b'.repeat(64),
};
const chat = {
  ...text,
  prompt_type: 'chat',
  content: [
    { role: 'system', content: 'You are {{name}}' },
    { role: 'user', content: [{ type: 'text', text: '{{n}}?' }] },
  ],
};
beforeEach(async () => {
  server = await startLocalServer();
  server.behave = () => ({ body: text });
});
afterEach(async () => {
  vi.useRealTimers();
  await server.goAway();
});

test('a text prompt is compiled, and a variable without a value stays and is listed', async () => {
  const { observer } = observerOf(server);
  const prompt = await observer.getPrompt('hello', { label: 'production' });
  const variables = { name: 'Ann', n: 2 };
  expect([prompt.compile(variables), prompt.missingVariables(variables)]).toEqual([
    'Hello Ann, 2 times {{missing}}',
    ['missing'],
  ]);
  expect(prompt).toMatchObject({
    name: 'hello',
    version: 3,
    promptType: 'text',
    config: { model: 'gpt-4o' },
    labels: ['production'],
    contentHash: text.content_hash,
  });
});

test('a chat prompt is compiled message by message', async () => {
  server.behave = () => ({ body: chat });
  const prompt = await observerOf(server).observer.getPrompt('hello');
  expect([prompt.promptType, prompt.compile({ name: 'Bo', n: 1 })]).toEqual([
    'chat',
    [
      { role: 'system', content: 'You are Bo' },
      { role: 'user', content: [{ type: 'text', text: '1?' }] },
    ],
  ]);
});

test('the URL contains the name, and the version instead of the label', async () => {
  const { getPrompt } = observerOf(server).observer;
  await getPrompt('a b?c');
  await getPrompt('x', { label: 'staging one' });
  await getPrompt('x', { label: 'staging', version: 2 });
  expect(server.requests.map(({ path }) => path)).toEqual([
    '/api/v1/observe/prompts/a%20b%3Fc/',
    '/api/v1/observe/prompts/x/?label=staging%20one',
    '/api/v1/observe/prompts/x/?version=2',
  ]);
});

test('a prompt is fetched once a minute for all callers', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { getPrompt } = observerOf(server).observer;
  await Promise.all([getPrompt('hello'), getPrompt('hello'), getPrompt('hello')]);
  await getPrompt('hello');
  expect(server.requests).toHaveLength(1);
  vi.setSystemTime(Date.now() + 61_000);
  server.behave = () => ({ body: { ...text, version: 4 } });
  expect([(await getPrompt('hello')).version, server.requests.length]).toEqual([4, 2]);
});

test('a cached prompt is used while the server is unavailable, but not after it was deleted', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { getPrompt } = observerOf(server).observer;
  await getPrompt('hello');
  vi.setSystemTime(Date.now() + 61_000);
  server.behave = () => 'drop';
  expect((await getPrompt('hello')).version).toBe(3);
  expect((await getPrompt('hello')).version).toBe(3);
  // The request on a stale connection was retried once.
  expect(server.requests).toHaveLength(3);
  vi.setSystemTime(Date.now() + 6000);
  server.behave = () => ({ status: 404, body: { error: 'there is no prompt "hello"' } });
  await expect(getPrompt('hello')).rejects.toThrow('there is no prompt "hello"');
});

test('a missing prompt throws, or its fallback is used', async () => {
  server.behave = () => ({
    status: 404,
    body: { error: 'there is no prompt "nope"' },
    headers: { 'x-error-reason': 'not_found' },
  });
  const { getPrompt } = observerOf(server).observer;
  const error = await getPrompt('nope', { label: 'production' }).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(PromptError);
  expect(error).toMatchObject({
    status: 404,
    reason: 'not_found',
    message: 'the prompt "nope" label "production" could not be fetched: there is no prompt "nope"',
  });
  const prompt = await getPrompt('nope', { fallback: 'Hi {{name}}' });
  expect([prompt.version, prompt.contentHash, prompt.compile({ name: 'Cy' })]).toEqual([
    0,
    '',
    'Hi Cy',
  ]);
});

test.each<[string, Reply, number]>([
  ['a failing server is retried', { status: 500, text: '' }, 3],
  ['an absent one is not', 'drop', 1],
  ['nor is one that answers no prompt', { body: { name: 'x' } }, 1],
])('%s', async (_name, reply, times) => {
  server.behave = () => reply;
  const { getPrompt } = observerOf(server).observer;
  await expect(getPrompt('hello')).rejects.toBeInstanceOf(PromptError);
  expect(server.requests).toHaveLength(times);
});

test('a disabled SDK returns fallbacks only', async () => {
  const { getPrompt } = observerOf(server, { enabled: false }).observer;
  await expect(getPrompt('hello')).rejects.toThrow('observation is disabled');
  expect((await getPrompt('hello', { fallback: 'Hi' })).compile()).toBe('Hi');
  expect(server.requests).toEqual([]);
});
