import { connect } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { API_KEY, startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import { pollUntil } from '../support/processes.ts';

let service: TestControlPlane;
let run_id: string;
beforeAll(async () => {
  service = await startTestControlPlane('sqlite');
  ({ run_id } = await service.byKey.recording.startRun({ body: { agent_name: 'a' } }));
});
afterAll(() => service.stop());

const path = () => `/api/v1/observe/runs/${run_id}/steps/`;
const body = Buffer.from(JSON.stringify({ steps: [{ step_name: 'ä' }] }));

const post = (content: Uint8Array, headers: Record<string, string> = {}) =>
  fetch(`${service.urls.public}${path()}`, {
    method: 'POST',
    headers: { 'X-Svc-Key': API_KEY, ...headers },
    body: content as BodyInit,
  });

const storedSteps = async () => {
  const { counts } = await service.byOwner.runs.getRun({ params: { id: run_id } });
  return counts.steps;
};

test.each([
  ['identity', body],
  ['gzip', gzipSync(body)],
  ['GZIP', gzipSync(body)],
  ['deflate', deflateSync(body)],
  ['br', brotliCompressSync(body)],
])('a body in %s is accepted', async (encoding, content) => {
  const response = await post(content, { 'Content-Encoding': encoding });
  expect([response.status, await response.json()]).toEqual([200, { status: 'ok', count: 1 }]);
});

test.each([
  ['what is not gzip', body, { 'Content-Encoding': 'gzip' }, 400, /could not be read/],
  ['half of a gzip', gzipSync(body).subarray(0, 20), { 'Content-Encoding': 'gzip' }, 400, /end of/],
  [
    'an unknown encoding',
    body,
    { 'Content-Encoding': 'constructor' },
    415,
    /expected gzip, deflate or br/,
  ],
  ['bytes that are not UTF-8', Buffer.from([0x22, 0xff, 0x22]), {}, 400, /not valid UTF-8/],
  ['JSON that is no object', Buffer.from('"x"'), {}, 400, /expected object/],
  [
    'a small body that grows beyond all bounds',
    gzipSync(Buffer.alloc(50_000_000)),
    { 'Content-Encoding': 'gzip' },
    413,
    /larger than 10mb/,
  ],
] as const)('%s is rejected with one line', async (_name, content, headers, status, line) => {
  const before = await storedSteps();
  const response = await post(content, headers);
  const { error } = (await response.json()) as { error: string };
  expect([response.status, error]).toEqual([status, expect.stringMatching(line)]);
  expect(await storedSteps()).toBe(before);
});

test('without a credential, a body larger than an email and a password is rejected', async () => {
  const login = (content: Uint8Array, headers: Record<string, string> = {}) =>
    fetch(`${service.urls.public}/api/v1/auth/login/`, {
      method: 'POST',
      headers,
      body: content as BodyInit,
    }).then(async (response) => [response.status, await response.json()]);
  const long = Buffer.from(JSON.stringify({ email: 'x'.repeat(64 * 1024), password: 'x' }));
  const refused = [413, { error: 'the body is larger than 64kb' }];
  expect(await login(long)).toEqual(refused);
  expect(await login(gzipSync(long), { 'Content-Encoding': 'gzip' })).toEqual(refused);
});

describe('under /svc/v1/ a body that is not JSON is a validation_error', () => {
  const paths = [
    '/svc/v1/sub-tenants/',
    '/svc/v1/policies/',
    '/svc/v1/tenant/add-ons/',
    '/svc/v1/identity/sub-users/token/',
  ];
  test.each([
    ['an empty one', '', {}, /^\w+: /],
    ['one of white space', ' ', {}, /^the body is not valid JSON: /],
    ['text', 'name=x', {}, /^the body is not valid JSON: /],
    ['half of one', '{"name": "x"', {}, /^the body is not valid JSON: /],
    ['another value', '"x"', {}, /^body: /],
    [
      'bytes that are not UTF-8',
      Buffer.from([0x22, 0xff, 0x22]),
      {},
      /^the body is not valid UTF-8$/,
    ],
    ['what is not gzip', '{"name":"x"}', { 'Content-Encoding': 'gzip' }, /^the body could not be/],
    [
      'a form',
      'name=x',
      { 'Content-Type': 'application/x-www-form-urlencoded' },
      /is not valid JSON/,
    ],
  ] as const)('%s', async (_name, content, headers, message) => {
    for (const address of paths) {
      const response = await fetch(`${service.urls.public}${address}`, {
        method: 'POST',
        headers: { 'X-Svc-Key': API_KEY, ...headers },
        body: content as BodyInit,
      });
      const error = {
        code: 'validation_error',
        message: expect.stringMatching(message) as string,
        details: { reason: 'validation_error' },
      };
      expect([address, response.status, await response.json()]).toEqual([address, 400, { error }]);
    }
  });
});

describe('a client that disconnects', () => {
  /** Sends the beginning of a request, and disconnects once the service has read it. */
  async function begin(text: string): Promise<void> {
    const socket = connect(Number(new URL(service.urls.public).port), '127.0.0.1');
    socket.on('error', () => undefined);
    await new Promise((resolve) => socket.write(text, resolve));
    // A later request on another connection is read after it.
    await fetch(`${service.urls.public}/healthz`);
    socket.destroy();
  }
  const head = (length: number) =>
    `POST ${path()} HTTP/1.1\r\nHost: x\r\nX-Svc-Key: ${API_KEY}\r\nContent-Length: ${length}\r\n\r\n`;

  test('leaves no partial data and does not affect other requests', async () => {
    const before = await storedSteps();
    await Promise.all([
      begin(head(body.length) + body.toString().slice(0, 20)),
      begin(head(body.length)),
      begin(head(body.length).slice(0, 40)),
      begin(`${head(20_000_000)}{"steps":[`),
    ]);
    expect((await post(body)).status).toBe(200);
    expect(await storedSteps()).toBe(before + 1);
  });

  test('may send slowly', async () => {
    const before = await storedSteps();
    const socket = connect(Number(new URL(service.urls.public).port), '127.0.0.1');
    let answer = '';
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
    socket.write(head(body.length));
    for (let at = 0; at < body.length; at += 7) {
      socket.write(body.subarray(at, at + 7));
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await pollUntil(
      () => answer,
      (text) => text.includes('{"status":"ok","count":1}'),
    );
    socket.destroy();
    expect(await storedSteps()).toBe(before + 1);
  });
});
