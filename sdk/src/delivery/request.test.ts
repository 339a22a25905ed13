import { getEventListeners } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type LocalServer, type Reply, startLocalServer } from '#test/sdk/local-server.ts';
import { PATIENCE_MS } from '#test/support/time-limits.ts';
import { fetchTransport, chooseTransport } from './fetch-transport.ts';
import { nodeTransport } from './node-transport.ts';
import { createSend } from './request.ts';

let server: LocalServer;
beforeAll(async () => {
  server = await startLocalServer();
});
afterAll(() => server.goAway());

const never = new AbortController().signal;

const later = (seconds: number) => new Date(Date.now() + seconds * 1000).toUTCString();

describe.each([
  ['Node', nodeTransport(process)],
  ['fetch', fetchTransport],
])('over %s', (_name, transport) => {
  const sendTo = (baseUrl: string, { ended = never, timeoutMs = PATIENCE_MS } = {}) => {
    const send = createSend({ apiKey: 'svc_sk_x', baseUrl, timeoutMs }, ended, transport);
    return send({ method: 'GET', path: '/x/' });
  };

  test.each<[string, Reply, object]>([
    ['a success', { body: { a: 1 } }, { kind: 'ok', body: { a: 1 } }],
    [
      'a text error',
      { status: 404, body: { error: 'there is no x' } },
      { kind: 'refused', status: 404, message: 'there is no x' },
    ],
    [
      'a coded error',
      {
        status: 403,
        body: { error: { code: 'forbidden', message: 'no' } },
        headers: { 'x-error-reason': 'tenant_suspended' },
      },
      { kind: 'refused', message: 'no', reason: 'tenant_suspended' },
    ],
    [
      'an error without a message',
      { status: 418, text: '<html>' },
      { kind: 'refused', message: 'HTTP 418', reason: undefined },
    ],
    [
      'a very long message',
      { status: 400, body: { error: 'x'.repeat(9999) } },
      { kind: 'refused', message: 'x'.repeat(500) },
    ],
    ['null', { text: 'null' }, { kind: 'retry', message: 'the response is not JSON' }],
    [
      'seconds to wait',
      { status: 429, text: '', headers: { 'retry-after': '7' } },
      { kind: 'retry', retryAfterMs: 7000 },
    ],
    [
      'too long to wait',
      {
        status: 503,
        text: '',
        headers: { 'retry-after': '86400', 'x-error-reason': 'storage_full' },
      },
      { kind: 'unavailable', retryAfterMs: 300_000, reason: 'storage_full' },
    ],
    [
      'a past date to wait for',
      { status: 503, text: '', headers: { 'retry-after': later(-60) } },
      { kind: 'unavailable', retryAfterMs: 0 },
    ],
    [
      'a strange time to wait',
      { status: 500, text: '', headers: { 'retry-after': 'soon' } },
      { kind: 'retry', retryAfterMs: 0 },
    ],
    ['a broken connection', 'drop', { kind: 'unavailable' }],
  ])('%s', async (_name, reply, expected) => {
    server.behave = () => reply;
    expect(await sendTo(server.url)).toMatchObject(expected);
  });

  test('a request without a response times out', async () => {
    server.behave = () => 'silent';
    expect(await sendTo(server.url, { timeoutMs: 50 })).toEqual({
      kind: 'unavailable',
      message: 'no response within 50 ms',
      retryAfterMs: 0,
    });
  });

  test('Retry-After can be a date', async () => {
    const before = Date.now();
    const date = later(100);
    server.behave = () => ({ status: 429, text: '', headers: { 'retry-after': date } });
    const { retryAfterMs } = (await sendTo(server.url)) as { retryAfterMs: number };
    expect(retryAfterMs).toBeLessThanOrEqual(Date.parse(date) - before);
    expect(retryAfterMs).toBeGreaterThanOrEqual(Date.parse(date) - Date.now());
  });

  test('a connection error has its cause as the message', async () => {
    const answer = await sendTo('http://127.0.0.1:1');
    expect(answer).toMatchObject({
      kind: 'unavailable',
      message: expect.stringMatching(/ECONNREFUSED|bad port/),
    });
  });

  test('nothing is sent after the observer has ended', async () => {
    server.requests = [];
    expect(await sendTo(server.url, { ended: AbortSignal.abort() })).toMatchObject({
      kind: 'unavailable',
    });
    expect(server.requests).toEqual([]);
  });

  test('large bodies are sent and received completely', async () => {
    const text = 'ü€😀'.repeat(300_000);
    server.behave = ({ body }) => ({ body: { heard: body.text } });
    const send = createSend(
      { apiKey: 'svc_sk_x', baseUrl: server.url, timeoutMs: PATIENCE_MS },
      never,
      transport,
    );
    const answer = await send({ method: 'POST', path: '/x/', body: JSON.stringify({ text }) });
    expect(answer).toEqual({ kind: 'ok', body: { heard: text } });
    expect(server.requests.at(-1)?.headers).toMatchObject({ 'x-svc-key': 'svc_sk_x' });
  });

  test('ending aborts all requests in flight, with a single abort listener', async () => {
    server.behave = () => 'silent';
    const end = new AbortController();
    const send = createSend(
      { apiKey: 'svc_sk_x', baseUrl: server.url, timeoutMs: PATIENCE_MS },
      end.signal,
      transport,
    );
    const answers = Array.from({ length: 16 }, () => send({ method: 'GET', path: '/x/' }));
    expect(getEventListeners(end.signal, 'abort')).toHaveLength(1);
    end.abort();
    expect(new Set((await Promise.all(answers)).map(({ kind }) => kind))).toEqual(
      new Set(['unavailable']),
    );
  });
});

test('node:http is used on Node only', () => {
  const { versions } = process;
  try {
    for (const other of [{ ...versions, bun: '1' }, { ...versions, deno: '2' }, { node: '22' }]) {
      Object.defineProperty(process, 'versions', { value: other, configurable: true });
      expect(chooseTransport()).toBe(fetchTransport);
    }
  } finally {
    Object.defineProperty(process, 'versions', { value: versions, configurable: true });
  }
  expect(chooseTransport()).not.toBe(fetchTransport);
});

test('a request on a stale connection is retried once', async () => {
  const connections: number[] = [];
  const flaky = createServer((socket) => {
    const at = connections.push(0) - 1;
    socket.on('error', () => undefined);
    socket.on('data', () => {
      connections[at] = (connections[at] ?? 0) + 1;
      if (connections[at] > 1) socket.resetAndDestroy();
      else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}');
    });
  });
  await new Promise<void>((resolve) => flaky.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(flaky.address() as AddressInfo).port}`;
  const settings = { apiKey: 'svc_sk_x', baseUrl, timeoutMs: PATIENCE_MS };
  const send = createSend(settings, never, nodeTransport(process));
  for (let i = 0; i < 3; i += 1)
    expect(await send({ method: 'GET', path: '/x/' })).toEqual({ kind: 'ok', body: {} });
  expect(connections).toEqual([2, 2, 1]);
  await new Promise((resolve) => flaky.close(resolve));
});

test('works with timers that are numbers, as in browsers and mocks', async () => {
  const { setTimeout: real } = globalThis;
  const send = createSend(
    { apiKey: 'svc_sk_x', baseUrl: server.url, timeoutMs: PATIENCE_MS },
    never,
    nodeTransport(process),
  );
  server.behave = () => ({ body: {} });
  vi.stubGlobal('setTimeout', (work: () => void, ms: number) => Number(real(work, ms)));
  expect(await send({ method: 'GET', path: '/x/', background: true })).toMatchObject({
    kind: 'ok',
  });
  vi.unstubAllGlobals();
});
