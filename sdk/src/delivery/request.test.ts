import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LocalServer, type Reply, startLocalServer } from '#test/sdk/local-server.ts';
import { createSend } from './request.ts';

let server: LocalServer;
beforeAll(async () => {
  server = await startLocalServer();
});
afterAll(() => server.goAway());

const sendTo = (
  baseUrl: string,
  { ended = new AbortController().signal, timeoutMs = 15_000 } = {},
) => createSend({ apiKey: 'svc_sk_x', baseUrl, timeoutMs }, ended)({ method: 'GET', path: '/x/' });

const later = (seconds: number) => new Date(Date.now() + seconds * 1000).toUTCString();

test.each<[string, Reply, object]>([
  ['an answer', { body: { a: 1 } }, { kind: 'ok', body: { a: 1 } }],
  [
    'a text error',
    { status: 404, body: { error: 'there is no x' } },
    { kind: 'refused', status: 404, message: 'there is no x' },
  ],
  [
    'a coded error',
    { status: 403, body: { error: { code: 'forbidden', message: 'no' } } },
    { kind: 'refused', message: 'no' },
  ],
  [
    'an error without words',
    { status: 418, text: '<html>' },
    { kind: 'refused', message: 'HTTP 418' },
  ],
  [
    'words without end',
    { status: 400, body: { error: 'x'.repeat(9999) } },
    { kind: 'refused', message: 'x'.repeat(500) },
  ],
  ['null', { text: 'null' }, { kind: 'again', message: 'the answer is not JSON' }],
  [
    'seconds to wait',
    { status: 429, text: '', headers: { 'retry-after': '7' } },
    { kind: 'again', retryAfterMs: 7000 },
  ],
  [
    'too long to wait',
    { status: 503, text: '', headers: { 'retry-after': '86400' } },
    { kind: 'away', retryAfterMs: 300_000 },
  ],
  [
    'a past date to wait for',
    { status: 503, text: '', headers: { 'retry-after': later(-60) } },
    { kind: 'away', retryAfterMs: 0 },
  ],
  [
    'a strange time to wait',
    { status: 500, text: '', headers: { 'retry-after': 'soon' } },
    { kind: 'again', retryAfterMs: 0 },
  ],
  ['a broken connection', 'drop', { kind: 'away' }],
])('%s', async (_name, reply, expected) => {
  server.behave = () => reply;
  expect(await sendTo(server.url)).toMatchObject(expected);
});

test('silence ends', async () => {
  server.behave = () => 'silent';
  expect(await sendTo(server.url, { timeoutMs: 50 })).toEqual({
    kind: 'away',
    message: 'no answer within 50 ms',
    retryAfterMs: 0,
  });
});

test('a date to wait for is taken as one', async () => {
  server.behave = () => ({ status: 429, text: '', headers: { 'retry-after': later(100) } });
  const answer = (await sendTo(server.url)) as { retryAfterMs: number };
  expect(Math.round(answer.retryAfterMs / 10_000)).toBe(10);
});

test('nobody there: what happened is said, not that fetch failed', async () => {
  const answer = await sendTo('http://127.0.0.1:1');
  expect(answer).toMatchObject({
    kind: 'away',
    message: expect.stringMatching(/ECONNREFUSED|bad port/),
  });
});

test('once the observer has ended nothing is sent', async () => {
  server.seen = [];
  expect(await sendTo(server.url, { ended: AbortSignal.abort() })).toMatchObject({ kind: 'away' });
  expect(server.seen).toEqual([]);
});
