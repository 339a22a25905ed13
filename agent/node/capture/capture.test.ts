import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createHttpsServer, request as httpsRequest } from 'node:https';
import { type AddressInfo, connect as connectTcp, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { connect as connectTls, getCACertificates, setDefaultCACertificates } from 'node:tls';
import { constants, deflateRawSync, gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import type { DeviceConfig } from '#contract/device-protocol.ts';
import { createRoot, issueServerCertificate } from '#pki/authority.ts';
import type { Credential } from '#pki/issue.ts';
import {
  captureOf,
  noCapture,
  startTestControlPlane,
  type TestControlPlane,
} from '../testing/control-plane.ts';
import { createManagedTestComputer, type TestComputer } from '../testing/test-computer.ts';
import type { OpenListeners } from './listeners/open-listeners.ts';

const HOST = 'api.openai.com';
const SECRET = 'sk-proj-4f9aB2c3D4e5F6g7H8i9J0kLmNoPqRsTuVwXyZ0123456789';

let world: Credential;
const defaults = getCACertificates('default');
beforeAll(async () => {
  world = await createRoot({ name: 'World', now: Date.now() });
  setDefaultCACertificates([...defaults, world.certificatePem]);
});
afterAll(() => setDefaultCACertificates(defaults));

let plane: TestControlPlane;
let place: TestComputer;
let servers: Server[];
let doorPort: number;
let upstreamPort: number;
let hosts: readonly string[];
beforeEach(async () => {
  servers = [];
  hosts = [];
  plane = await startTestControlPlane();
  place = createManagedTestComputer(plane);
});
afterEach(async () => {
  await place[Symbol.asyncDispose]();
  await plane.stop();
  for (const server of servers) server.close();
});

/** A capture listener that routes every connection to the server of the test. */
const openListeners: OpenListeners = async ({ onConnection }) => {
  const client = { pid: 1, process: 'claude', path: '/opt/claude', user: 'ada', signingId: null };
  const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (socket) =>
    onConnection({
      socket,
      destination: { host: '127.0.0.1', port: upstreamPort, name: null },
      client: Promise.resolve(client),
    }),
  );
  doorPort = await listen(server);
  return [
    { name: 'explicit', setHosts: async (now) => void (hosts = now), close: async () => undefined },
  ];
};

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  servers.push(server);
  return (server.address() as AddressInfo).port;
}

type Answer = (request: IncomingMessage, body: string, response: ServerResponse) => void;

async function serve(answer: Answer): Promise<Server> {
  const own = await issueServerCertificate(world, { names: [HOST], now: Date.now() });
  const server = createHttpsServer({ key: own.privateKeyPem, cert: own.certificatePem });
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => answer(request, Buffer.concat(chunks).toString(), response));
  });
  upstreamPort = await listen(server);
  return server;
}

const connection = (ALPNProtocols?: string[]) =>
  connectTls({
    socket: connectTcp(doorPort, '127.0.0.1'),
    servername: HOST,
    ca: [plane.root.certificatePem, world.certificatePem],
    ...(ALPNProtocols && { ALPNProtocols }),
  });

async function ask(path: string, body: string): Promise<{ text: string; issuer: string }> {
  const socket = connection();
  const sent = httpsRequest({
    host: HOST,
    path,
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${SECRET}` },
    createConnection: () => socket,
  }).end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const issuer = String(socket.getPeerCertificate().issuer.CN);
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  socket.destroy();
  return { text: Buffer.concat(chunks).toString('latin1'), issuer };
}

/** Starts an agent with capture on, once it is in force. */
async function startCapturing(more: Partial<DeviceConfig> = {}): Promise<void> {
  plane.config = { ...captureOf(2, HOST), ...more };
  await place.start({ openListeners });
  await vi.waitFor(() => expect(hosts).toEqual([HOST]));
}

const delta = (content: string) =>
  `data: ${JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    model: 'gpt-5-mini',
    choices: [{ index: 0, delta: { content } }],
  })}\n\n`;
const usage = `data: ${JSON.stringify({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  model: 'gpt-5-mini',
  choices: [],
  usage: { prompt_tokens: 12, completion_tokens: 5 },
})}\n\ndata: [DONE]\n\n`;
const question = JSON.stringify({
  model: 'gpt-5-mini',
  stream: true,
  messages: [{ role: 'user', content: `my mail is ada@example.com, my key ${SECRET}` }],
});

const everythingOnDisk = (dir: string): string =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');

test('a streamed answer reaches the client as it is, and the control plane redacted', async () => {
  const stream = [delta('use '), delta(SECRET.slice(0, 20)), delta(SECRET.slice(20)), usage];
  await serve((_, __, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const piece of stream) response.write(piece);
    response.end();
  });
  await startCapturing();
  expect(await ask('/v1/chat/completions?key=hidden', question)).toEqual({
    text: stream.join(''),
    issuer: 'dev_1 capture',
  });
  await vi.waitFor(() => expect(plane.captures).toHaveLength(1));
  const [report] = plane.captures;
  expect(report).toMatchObject({
    host: HOST,
    process: 'claude',
    user: 'ada',
    method: 'POST',
    path: '/v1/chat/completions',
    status: 200,
    model: 'gpt-5-mini',
    provider: 'OpenAI',
    tokens_in: 12,
    tokens_out: 5,
    request_type: 'application/json',
    response_type: 'text/event-stream',
    request_bytes: question.length,
    response_truncated: 0,
  });
  expect(report?.redactions).toBe('{"EMAIL":1,"API_KEY":2}');
  expect(JSON.parse(report?.request_body ?? '')).toMatchObject({
    messages: [{ content: 'my mail is ##EMAIL##, my key ##API_KEY##' }],
  });
  expect(report?.response_body).toContain('use ##API_KEY##');
  expect(everythingOnDisk(place.stateDir)).not.toContain(SECRET.slice(20));
});

test('a compressed body is read from the copy only', async () => {
  const body = gzipSync(JSON.stringify({ object: 'list', data: [`for ada@example.com`] }));
  await serve((_, __, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
    response.end(body);
  });
  await startCapturing();
  expect((await ask('/v1/models', '{}')).text).toBe(body.toString('latin1'));
  await vi.waitFor(() =>
    expect(plane.captures).toMatchObject([
      { response_body: '{"object":"list","data":["for ##EMAIL##"]}', response_bytes: body.length },
    ]),
  );
});

test('what the tenant masks is gone before anything is on disk, from the change on', async () => {
  await serve((_, body, response) => response.end(body));
  const masking = {
    keys: [{ key: 'customer', type: 'CUSTOMER' }],
    patterns: [{ name: 'PROJECT', pattern: 'project-[a-z]+' }],
  };
  plane.config = { ...captureOf(2, HOST), masking };
  await place.start({ openListeners });
  await vi.waitFor(() => expect(hosts).toEqual([HOST]));
  plane.refuse = () => ({ status: 503, message: 'later' });
  await ask('/v1/project-falcon', '{"customer":"Acme","text":"project-falcon"}');
  const spool = join(place.stateDir, 'captures');
  await vi.waitFor(() => expect(everythingOnDisk(spool)).toContain('##PROJECT##'));
  expect(everythingOnDisk(place.stateDir)).not.toMatch(/falcon|Acme/);
  plane.refuse = () => null;
  await vi.waitFor(() =>
    expect(plane.captures).toMatchObject([
      {
        path: '/v1/##PROJECT##',
        redactions: '{"CUSTOMER":2,"PROJECT":2}',
        request_body: '{"customer":"##CUSTOMER##","text":"##PROJECT##"}',
      },
    ]),
  );
  plane.config = { ...captureOf(3, HOST), masking: { keys: [], patterns: [] } };
  plane.push({ type: 'config', config: plane.config });
  await vi.waitFor(() => expect(plane.applied.at(-1)).toBe(3));
  await ask('/v1/other', '{"customer":"Acme"}');
  await vi.waitFor(() => expect(plane.captures[1]?.request_body).toBe('{"customer":"Acme"}'));
});

test('switched off, the next connection is with the server itself', async () => {
  await serve((_, body, response) => response.end(body));
  await startCapturing();
  expect((await ask('/one', '{}')).issuer).toBe('dev_1 capture');
  plane.config = { ...noCapture, version: 3 };
  plane.push({ type: 'config', config: plane.config });
  await vi.waitFor(() => expect(hosts).toEqual([]));
  expect((await ask('/two', '{}')).issuer).toBe('World');
  await vi.waitFor(() => expect(plane.captures.map(({ path }) => path)).toEqual(['/one']));
});

test('a revoked device captures nothing more', async () => {
  await serve((_, body, response) => response.end(body));
  await startCapturing();
  expect((await ask('/one', '{}')).issuer).toBe('dev_1 capture');
  plane.refuse = () => ({ status: 401, message: 'unknown device certificate' });
  plane.dropChannels();
  await vi.waitFor(async () => expect((await ask('/two', '{}')).issuer).toBe('World'));
});

/** As `permessage-deflate` sends it, without the four bytes of the flush. */
const deflatedSize = (text: string): number =>
  deflateRawSync(text, { finishFlush: constants.Z_SYNC_FLUSH }).length - 4;

/** Sends a message over a WebSocket whose server repeats it in JSON and closes. */
async function sendMessage(text: string, compress: boolean): Promise<void> {
  const server = await serve(() => undefined);
  const channels = new WebSocketServer({
    server: server as never,
    perMessageDeflate: { threshold: 0 },
  });
  channels.on('connection', (socket) =>
    socket.on('message', (data: Buffer) => {
      socket.send(`{"echo":${data.toString()}}`);
      socket.close();
    }),
  );
  await startCapturing();
  const socket = new WebSocket(`wss://${HOST}/v1/live`, {
    createConnection: () => connection() as never,
    perMessageDeflate: compress,
  });
  await once(socket, 'open');
  socket.send(text);
  expect(String((await once(socket, 'message'))[0])).toBe(`{"echo":${text}}`);
}

test.each([
  ['as they are', false, (text: string) => text.length],
  ['compressed', true, deflatedSize],
])('a WebSocket is captured message by message, %s', async (_, compress, sizeOf) => {
  const sent = '{"text":"write to ada@example.com"}';
  await sendMessage(sent, compress);
  await vi.waitFor(() => expect(plane.captures).toHaveLength(1));
  expect(plane.captures).toMatchObject([
    {
      path: '/v1/live',
      status: 101,
      redactions: '{"EMAIL":2}',
      request_bytes: sizeOf(sent),
      response_bytes: sizeOf(`{"echo":${sent}}`),
      request_truncated: 0,
      response_truncated: 0,
    },
  ]);
  expect(plane.captures[0]?.request_body).toBe('{"text":"write to ##EMAIL##"}');
  expect(plane.captures[0]?.response_body).toContain('##EMAIL##');
});

test('a message that is too long to be inflated is counted, and said to be missing', async () => {
  const text = JSON.stringify(randomBytes(1_500_000).toString('hex'));
  await sendMessage(text, true);
  // Each is a report of its own, and so is the end.
  await vi.waitFor(() => expect(plane.captures).toHaveLength(3));
  const [request, response] = plane.captures;
  expect(request).toMatchObject({ request_body: null, request_truncated: 1 });
  expect(response).toMatchObject({ response_body: null, response_truncated: 1 });
  expect(request?.request_bytes).toBeGreaterThan(1_500_000);
  expect(response?.response_bytes).toBeGreaterThan(1_500_000);
});

test('where policies are enforced, a call is redacted, reported and refused by the agent', async () => {
  let reached = 0;
  await serve((_, __, response) => {
    reached += 1;
    response.end('{"id":"chatcmpl-1"}');
  });
  await startCapturing({ enforce_policies: true });
  plane.verdict = { refused: true, policy: 'No mail', reason: 'PII detected: email' };
  const { text } = await ask('/v1/chat/completions?key=abc', question);
  const message = `Blocked by your organization's policy "No mail": PII detected: email`;
  expect(JSON.parse(text)).toMatchObject({ error: { message } });
  expect(reached).toBe(0);
  expect(plane.checks).toEqual([
    {
      host: HOST,
      app_id: null,
      process: 'claude',
      user: 'ada',
      path: '/v1/chat/completions',
      provider: 'OpenAI',
      model: 'gpt-5-mini',
      request: question.replace('ada@example.com', '##EMAIL##').replace(SECRET, '##API_KEY##'),
      request_truncated: false,
      prompt: null,
      redactions: { EMAIL: 1, API_KEY: 1 },
    },
  ]);
  await vi.waitFor(() => expect(plane.captures).toHaveLength(1));
  expect(plane.captures).toMatchObject([
    { status: 403, refused: true, response_body: text, tokens_in: null },
  ]);
  plane.verdict = { refused: false, policy: null, reason: '' };
  expect((await ask('/v1/chat/completions', question)).text).toBe('{"id":"chatcmpl-1"}');
  await vi.waitFor(() => expect(plane.captures).toHaveLength(2));
  expect(plane.captures[1]).not.toHaveProperty('refused');
});

test('a call passes when the control plane cannot tell, which the admin reads', async () => {
  await serve((_, __, response) => response.end('{"id":"chatcmpl-1"}'));
  await startCapturing({ enforce_policies: true });
  plane.refuse = (route) => (route === 'checkCall' ? { status: 500, message: 'sorry' } : null);
  expect((await ask('/v1/chat/completions', question)).text).toBe('{"id":"chatcmpl-1"}');
  const notice = `${HOST}: a call passed without a policy check: the control plane did not answer`;
  await vi.waitFor(
    () => expect(plane.heartbeats.at(-1)?.problems.join()).toContain(notice),
    20_000,
  );
});

test('without enforcement no check is requested', async () => {
  await serve((_, __, response) => response.end('{"id":"chatcmpl-1"}'));
  await startCapturing();
  await ask('/v1/chat/completions', question);
  expect(plane.calls.checkCall).toBe(0);
});

test('while the person has paused it nothing is captured, blocking goes on, and it is reported', async () => {
  await serve((_, __, response) => response.end('{}'));
  const origins = { pause_minutes: { source: 'global' as const, set_at: null } };
  plane.config = {
    ...captureOf(2, HOST),
    pause_minutes: 30,
    origins,
    blocked_hosts: ['x.example'],
  };
  const agent = await place.start({ openListeners });
  await vi.waitFor(() => expect(hosts).toEqual([HOST, 'x.example']));
  expect(agent.pause()).toBe(true);
  await vi.waitFor(() => expect(hosts).toEqual(['x.example']));
  expect((await ask('/v1/chat/completions', question)).issuer).toBe('World');
  await vi.waitFor(() =>
    expect(plane.heartbeats.at(-1)?.pauses).toMatchObject([{ ended_at: null }]),
  );
  expect(agent.status().pause.until).toBeGreaterThan(Date.now());

  agent.resume();
  await vi.waitFor(() => expect(hosts).toEqual([HOST, 'x.example']));
  expect((await ask('/v1/chat/completions', question)).issuer).toBe('dev_1 capture');
  await vi.waitFor(() => expect(plane.captures).toHaveLength(1));
  const reported = () => plane.heartbeats.flatMap(({ pauses }) => pauses ?? []);
  await vi.waitFor(() => expect(reported().at(-1)).toMatchObject({ ended_by: 'person' }));
  const [sent] = agent.status().exchanges;
  expect(sent?.redactions).toEqual({ EMAIL: 1, API_KEY: 1 });
  const uploaded = agent.exchange(sent?.id ?? '');
  expect(uploaded?.request_body).toBe(plane.captures[0]?.request_body);
  expect(JSON.stringify(uploaded)).not.toContain(SECRET.slice(20));
  expect(agent.status().sent_today).toMatchObject({ captures: 1 });
  expect(agent.status().sent_today.bytes).toBeGreaterThan(1000);
});

test('a control plane that names no origins is sent no pause', async () => {
  await serve((_, __, response) => response.end('{}'));
  plane.config = { ...captureOf(2, HOST), pause_minutes: 30 };
  const agent = await place.start({ openListeners });
  await vi.waitFor(() => expect(hosts).toEqual([HOST]));
  expect(agent.pause()).toBe(true);
  const beats = plane.heartbeats.length;
  await vi.waitFor(() => expect(plane.heartbeats.length).toBeGreaterThan(beats + 1));
  expect(plane.heartbeats.some(({ pauses }) => pauses !== undefined)).toBe(false);
});
