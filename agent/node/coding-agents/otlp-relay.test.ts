import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createOtlpRelay, type OtlpRelay } from './otlp-relay.ts';

interface Received {
  path: string | undefined;
  key: string | undefined;
  type: string | undefined;
  body: string;
}

const received: Received[] = [];
const plane = createServer((request, response) => {
  void text(request).then((body) => {
    const { 'x-svc-key': key, 'content-type': type } = request.headers;
    received.push({ path: request.url, key: String(key), type, body });
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
});
/** The sizes of the forwarded bodies. */
const sent: number[] = [];
let isRecorded = true;
let relay: OtlpRelay;
let url = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => plane.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(plane.address() as AddressInfo).port}/otel`;
  relay = createOtlpRelay({
    port: 0,
    recording: () => (isRecorded ? { endpoint, key: 'svc_sd_1' } : null),
    roots: () => [],
    onProblem: () => undefined,
    onSent: (bytes) => void sent.push(bytes),
  });
  url = (await relay.open()) ?? '';
});
afterAll(() => {
  relay.close();
  plane.closeAllConnections();
  plane.close();
});

const JSON_TYPE = { 'content-type': 'application/json' };
const post = (path: string, headers: Record<string, string> = JSON_TYPE) =>
  fetch(`${url}${path}`, { method: 'POST', headers, body: '{"resourceLogs":[]}' });

test('telemetry is forwarded with the key of the device', async () => {
  const answer = await post('/v1/logs');
  expect({ status: answer.status, body: await answer.text() }).toEqual({ status: 200, body: '{}' });
  expect(received).toEqual([
    {
      path: '/otel/v1/logs',
      key: 'svc_sd_1',
      type: 'application/json',
      body: '{"resourceLogs":[]}',
    },
  ]);
  expect(await relay.open()).toBe(url);
  await vi.waitFor(() => expect(sent).toEqual(['{"resourceLogs":[]}'.length]));
});

test.each([
  ['another path', '/v1/other', JSON_TYPE, 404],
  ['a page in a browser', '/v1/logs', { ...JSON_TYPE, origin: 'https://evil.example' }, 403],
  [
    'a type that a page may send without permission',
    '/v1/logs',
    { 'content-type': 'text/plain' },
    415,
  ],
] as const)('a request is refused: %s', async (_, path, headers, status) => {
  const before = received.length;
  expect((await post(path, headers)).status).toBe(status);
  expect(received).toHaveLength(before);
  expect(sent).toHaveLength(before);
});

test('while nothing is recorded, exporters are asked to retry', async () => {
  isRecorded = false;
  expect((await post('/v1/traces')).status).toBe(503);
});
