import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { constants, deflateRawSync, gzipSync } from 'node:zlib';
import { expect, test, vi } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { captureOf, noCapture } from '../testing/control-plane.ts';
import { HOST, QUESTION, SECRET, setUpCapture } from './testing/capture-world.ts';

const world = setUpCapture();

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

const everythingOnDisk = (dir: string): string =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');

test('the client gets a streamed response unchanged, and the control plane gets it redacted', async () => {
  const stream = [delta('use '), delta(SECRET.slice(0, 20)), delta(SECRET.slice(20)), usage];
  await world.serve((_, __, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const piece of stream) response.write(piece);
    response.end();
  });
  await world.startCapturing();
  expect(await world.sendRequest('/v1/chat/completions?key=hidden', QUESTION)).toEqual({
    text: stream.join(''),
    issuer: 'dev_1 capture',
  });
  await vi.waitFor(() => expect(world.plane.captures).toHaveLength(1));
  const [report] = world.plane.captures;
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
    request_bytes: QUESTION.length,
    response_truncated: 0,
  });
  expect(report?.redactions).toBe('{"EMAIL":1,"API_KEY":2}');
  expect(JSON.parse(report?.request_body ?? '')).toMatchObject({
    messages: [{ content: 'my mail is ##EMAIL##, my key ##API_KEY##' }],
  });
  expect(report?.response_body).toContain('use ##API_KEY##');
  expect(everythingOnDisk(world.computer.stateDir)).not.toContain(SECRET.slice(20));
});

test('a compressed body is decoded only in the copy', async () => {
  const body = gzipSync(JSON.stringify({ object: 'list', data: [`for ada@example.com`] }));
  await world.serve((_, __, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
    response.end(body);
  });
  await world.startCapturing();
  expect((await world.sendRequest('/v1/models', '{}')).text).toBe(body.toString('latin1'));
  await vi.waitFor(() =>
    expect(world.plane.captures).toMatchObject([
      { response_body: '{"object":"list","data":["for ##EMAIL##"]}', response_bytes: body.length },
    ]),
  );
});

test('content masked by the tenant never reaches the disk, starting with the change of the rules', async () => {
  await world.serve((_, body, response) => response.end(body));
  const masking = {
    keys: [{ key: 'customer', type: 'CUSTOMER' }],
    patterns: [{ name: 'PROJECT', pattern: 'project-[a-z]+' }],
  };
  world.plane.config = { ...captureOf(2, HOST), masking };
  await world.computer.start({ openListeners: world.openListeners });
  await vi.waitFor(() => expect(world.hosts).toEqual([HOST]));
  world.plane.refuse = () => ({ status: 503, message: 'later' });
  await world.sendRequest('/v1/project-falcon', '{"customer":"Acme","text":"project-falcon"}');
  const spool = join(world.computer.stateDir, 'captures');
  await vi.waitFor(() => expect(everythingOnDisk(spool)).toContain('##PROJECT##'));
  expect(everythingOnDisk(world.computer.stateDir)).not.toMatch(/falcon|Acme/);
  world.plane.refuse = () => null;
  await vi.waitFor(() =>
    expect(world.plane.captures).toMatchObject([
      {
        path: '/v1/##PROJECT##',
        redactions: '{"CUSTOMER":2,"PROJECT":2}',
        request_body: '{"customer":"##CUSTOMER##","text":"##PROJECT##"}',
      },
    ]),
  );
  world.plane.config = { ...captureOf(3, HOST), masking: { keys: [], patterns: [] } };
  world.plane.push({ type: 'config', config: world.plane.config });
  await vi.waitFor(() => expect(world.plane.applied.at(-1)).toBe(3));
  await world.sendRequest('/v1/other', '{"customer":"Acme"}');
  await vi.waitFor(() => expect(world.plane.captures[1]?.request_body).toBe('{"customer":"Acme"}'));
});

test('after capture is switched off, the next connection goes directly to the server', async () => {
  await world.serve((_, body, response) => response.end(body));
  await world.startCapturing();
  expect((await world.sendRequest('/one', '{}')).issuer).toBe('dev_1 capture');
  world.plane.config = { ...noCapture, version: 3 };
  world.plane.push({ type: 'config', config: world.plane.config });
  await vi.waitFor(() => expect(world.hosts).toEqual([]));
  expect((await world.sendRequest('/two', '{}')).issuer).toBe('World');
  await vi.waitFor(() => expect(world.plane.captures.map(({ path }) => path)).toEqual(['/one']));
});

test.each([
  ['trusts its roots', true],
  ['could not be made to trust its roots', false],
])('a device captures nothing until the system %s', async (_, succeeds) => {
  await world.serve((_, body, response) => response.end(body));
  const installation = Promise.withResolvers<void>();
  world.plane.config = captureOf(2, HOST);
  const trust = {
    set: async (roots: readonly string[]) => {
      if (roots.length > 0) await installation.promise;
    },
  };
  await world.computer.start({ openListeners: world.openListeners, trust });
  await vi.waitFor(() => expect(world.plane.applied).toContain(2));
  await vi.waitFor(() => expect(world.hosts).toEqual([HOST]));
  const { issuer } = await world.sendRequest('/one', '{}');
  if (succeeds) installation.resolve();
  else installation.reject(new Error('update-ca-certificates failed: 1'));
  await vi.waitFor(async () =>
    expect((await world.sendRequest('/two', '{}')).issuer).toBe('dev_1 capture'),
  );
  expect(issuer).toBe('World');
});

test('a revoked device stops capturing open connections', async () => {
  await world.serve((_, body, response) => response.end(body));
  await world.startCapturing();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  agent.createConnection = () => world.connect();
  const send = async (path: string): Promise<void> => {
    const [response] = (await once(
      request({ host: HOST, path, method: 'POST', agent }).end('{}'),
      'response',
    )) as [IncomingMessage];
    expect(await text(response)).toBe('{}');
  };
  await send('/before');
  const paths = () => world.plane.captures.map(({ path }) => path);
  await vi.waitFor(() => expect(paths()).toEqual(['/before']));
  world.plane.refuse = () => ({ status: 401, message: 'unknown device certificate' });
  world.plane.dropChannels();
  await vi.waitFor(() => expect(world.hosts).toEqual([]));
  await send('/while-revoked');
  world.plane.refuse = () => null;
  await vi.waitFor(() => expect(world.hosts).toEqual([HOST]), { timeout: 30_000 });
  await world.sendRequest('/after', '{}');
  await vi.waitFor(() => expect(paths()).toContain('/after'));
  expect(paths()).not.toContain('/while-revoked');
  agent.destroy();
});

test('a revoked device captures nothing more', async () => {
  await world.serve((_, body, response) => response.end(body));
  await world.startCapturing();
  expect((await world.sendRequest('/one', '{}')).issuer).toBe('dev_1 capture');
  world.plane.refuse = () => ({ status: 401, message: 'unknown device certificate' });
  world.plane.dropChannels();
  await vi.waitFor(async () =>
    expect((await world.sendRequest('/two', '{}')).issuer).toBe('World'),
  );
});

/** Returns the size in `permessage-deflate`, without the four bytes of the flush. */
const deflatedSize = (text: string): number =>
  deflateRawSync(text, { finishFlush: constants.Z_SYNC_FLUSH }).length - 4;

/** Sends a message over a WebSocket whose server returns it in JSON and closes. */
async function sendMessage(text: string, compress: boolean): Promise<void> {
  const server = await world.serve(() => undefined);
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
  await world.startCapturing();
  const socket = new WebSocket(`wss://${HOST}/v1/live`, {
    createConnection: () => world.connect() as never,
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
  await vi.waitFor(() => expect(world.plane.captures).toHaveLength(1));
  expect(world.plane.captures).toMatchObject([
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
  expect(world.plane.captures[0]?.request_body).toBe('{"text":"write to ##EMAIL##"}');
  expect(world.plane.captures[0]?.response_body).toContain('##EMAIL##');
});

test('a message that is too long to be inflated is counted and reported as missing', async () => {
  const text = JSON.stringify(randomBytes(1_500_000).toString('hex'));
  await sendMessage(text, true);
  // Each message has its own report, and so has the end.
  await vi.waitFor(() => expect(world.plane.captures).toHaveLength(3));
  const [request, response] = world.plane.captures;
  expect(request).toMatchObject({ request_body: null, request_truncated: 1 });
  expect(response).toMatchObject({ response_body: null, response_truncated: 1 });
  expect(request?.request_bytes).toBeGreaterThan(1_500_000);
  expect(response?.response_bytes).toBeGreaterThan(1_500_000);
});

test('a failed search for the process of a connection is logged once for each cause', async () => {
  const openListeners: typeof world.openListeners = async (options) => {
    for (const cause of ['EMFILE', 'EMFILE', 'lsof is not installed'])
      options.onSearchFailure(cause);
    return world.openListeners(options);
  };
  world.plane.config = captureOf(2, HOST);
  await world.computer.start({ openListeners });
  await vi.waitFor(() => expect(world.hosts).toEqual([HOST]));
  const warnings = world.computer.lines.flatMap((line) => line.trim().split(' warn ')[1] ?? []);
  expect(warnings.filter((line) => line.startsWith('capture:'))).toEqual([
    'capture: EMFILE',
    'capture: lsof is not installed',
  ]);
});
