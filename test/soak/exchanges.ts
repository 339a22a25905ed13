import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect as connectHttp2, constants } from 'node:http2';
import {
  Agent,
  type RequestOptions,
  request as requestHttp,
  type IncomingMessage,
} from 'node:http';
import { Agent as TlsAgent, request } from 'node:https';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { WebSocket } from 'ws';
import { hosts } from '../support/capture-world/clients.ts';
import { MODEL_KEY } from '../support/model-provider.ts';

/** One exchange. It throws if the client receives anything but what its server sends. */
export type Exchange = (prompt: string) => Promise<void>;

const PROXY_PORT = 9877;
const LARGE_BYTES = 3_000_000;

const kept = new TlsAgent({ keepAlive: true, maxSockets: 4 });

/** Closes persistent connections. */
export const closeKept = (): void => kept.destroy();

const chat = (content: string, more: object = {}): string =>
  JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content }], ...more });
const headers = { authorization: `Bearer ${MODEL_KEY}`, 'content-type': 'application/json' };

function expectThat(isSo: boolean, what: string): void {
  if (!isSo) throw new Error(`differs from what the server sent: ${what}`);
}

/** The response repeats the prompt, and contains a digest of the request. */
function expectAnswer(answer: string, prompt: string): void {
  const digest = answer.startsWith(prompt) ? answer.slice(prompt.length) : '';
  expectThat(/^ [0-9a-f]{8}$/.test(digest), `${answer.length} characters`);
}

const contentOf = (events: string): string =>
  [...events.matchAll(/"(?:content|text)":("(?:[^"\\]|\\.)*")/g)]
    .map(([, piece]) => JSON.parse(piece ?? '') as string)
    .join('');

async function post(path: string, body: string | Buffer, options: RequestOptions = {}) {
  const outgoing = request({
    host: hosts.openai,
    method: 'POST',
    path,
    headers,
    agent: false,
    ...options,
  });
  const [response] = (await Promise.race([
    once(outgoing.end(body), 'response'),
    once(outgoing, 'close').then(() => Promise.reject(new Error('closed without a response'))),
  ])) as [IncomingMessage];
  return response;
}

async function askChat(prompt: string, options: RequestOptions): Promise<void> {
  const response = await post('/v1/chat/completions', chat(prompt), options);
  expectThat(response.statusCode === 200, `status ${response.statusCode}`);
  const answer = JSON.parse(await text(response)) as {
    choices: { message: { content: string } }[];
  };
  expectAnswer(answer.choices[0]?.message.content ?? '', prompt);
}

/** Opens many streams on one HTTP/2 connection, and aborts one. */
async function askHttp2(prompt: string): Promise<void> {
  const session = connectHttp2(`https://${hosts.anthropic}`);
  const failed = once(session, 'close').then(() => Promise.reject(new Error('session closed')));
  session.on('error', () => undefined);
  const sendRequest = () => {
    const stream = session.request({
      ':method': 'POST',
      // Node includes the port.
      ':authority': hosts.anthropic,
      ':path': '/v1/messages',
      'x-api-key': MODEL_KEY,
      'anthropic-version': '2023-06-01',
      'content-type': 'application/json',
    });
    const messages = [{ role: 'user', content: prompt }];
    const body = { model: 'claude-sonnet-4-6', max_tokens: 9, stream: true, messages };
    return stream.end(JSON.stringify(body));
  };
  try {
    const givenUp = sendRequest().on('error', () => undefined);
    const answers = Promise.all([1, 2, 3].map(() => text(sendRequest())));
    answers.catch(() => undefined);
    await Promise.race([once(givenUp, 'response'), failed]);
    givenUp.close(constants.NGHTTP2_CANCEL);
    for (const answer of await Promise.race([answers, failed]))
      expectAnswer(contentOf(answer), prompt);
  } finally {
    failed.catch(() => undefined);
    session.destroy();
  }
}

async function talk(prompt: string): Promise<void> {
  const socket = new WebSocket(`wss://${hosts.openai}/v1/realtime`, { headers });
  const failed = once(socket, 'close').then(() => Promise.reject(new Error('socket closed')));
  failed.catch(() => undefined);
  socket.on('error', () => undefined);
  try {
    await Promise.race([once(socket, 'open'), failed]);
    for (let i = 0; i < 10; i += 1) {
      const frame = JSON.stringify({ type: 'message', i, text: prompt });
      const heard = once(socket, 'message');
      socket.send(frame);
      const [data] = (await Promise.race([heard, failed])) as [Buffer];
      expectThat(data.toString() === frame, 'a message');
    }
  } finally {
    socket.terminate();
  }
}

const digest = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex');

async function sendLarge(prompt: string): Promise<void> {
  const body = JSON.stringify({ prompt, filling: randomBytes(LARGE_BYTES).toString('base64') });
  const response = await post('/v1/echo', body);
  expectThat(digest(await text(response)) === digest(body), 'a large body');
}

async function readSlowly(): Promise<void> {
  const response = await post(`/v1/large?bytes=${LARGE_BYTES}`, '{}');
  let bytes = 0;
  for await (const chunk of response) {
    bytes += (chunk as Buffer).length;
    await pause(5);
  }
  expectThat(bytes === LARGE_BYTES, `${bytes} bytes`);
}

async function giveUp(prompt: string): Promise<void> {
  const response = await post('/v1/chat/completions', chat(`slowly ${prompt}`, { stream: true }));
  await once(response, 'data');
  response.on('error', () => undefined).destroy();
}

/**
 * The server ends the connection in the middle. The client must receive the first part, and an
 * error.
 */
async function breakOff(): Promise<void> {
  const response = await post('/v1/broken', '{}');
  let answer = '';
  const failure = await (async () => {
    for await (const chunk of response) answer += String(chunk);
  })().then(
    () => null,
    (error: unknown) => error,
  );
  expectThat(answer === '{"begun":true,', 'the beginning');
  expectThat(failure !== null, 'the end of what broke off');
}

async function expectUntouched(): Promise<void> {
  const response = await post('/', '', { host: hosts.uncapturedHost, method: 'GET' });
  const { fingerprint256 } = (response.socket as TLSSocket).getPeerCertificate();
  expectThat(
    fingerprint256 === process.env.NEIGHBOUR_FINGERPRINT,
    'the certificate of another host',
  );
  expectThat((await text(response)) === `${hosts.uncapturedHost} has no news\n`, 'another host');
}

async function askThroughProxy(prompt: string): Promise<void> {
  const outgoing = requestHttp({
    port: PROXY_PORT,
    host: '127.0.0.1',
    method: 'CONNECT',
    path: `${hosts.openai}:443`,
    agent: new Agent(),
  }).end();
  const [answer, socket] = (await once(outgoing, 'connect')) as [IncomingMessage, Socket];
  expectThat(answer.statusCode === 200, `status ${answer.statusCode} of the proxy`);
  const stream = connectTls({ socket, servername: hosts.openai });
  try {
    await once(stream, 'secureConnect');
    await askChat(prompt, {
      agent: undefined,
      // Without an agent, Node includes the port.
      headers: { ...headers, host: hosts.openai },
      createConnection: () => stream,
    });
  } finally {
    stream.destroy();
  }
}

async function askGemini(prompt: string): Promise<void> {
  const response = await post(
    '/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse',
    JSON.stringify({ contents: [{ role: 'user', parts: [{ text: prompt }] }] }),
    { host: hosts.gemini, headers: { ...headers, 'x-goog-api-key': MODEL_KEY } },
  );
  expectAnswer(contentOf(await text(response)), prompt);
}

async function askSlowly(prompt: string): Promise<void> {
  const response = await post('/v1/chat/completions', chat(`slowly ${prompt}`, { stream: true }));
  expectAnswer(contentOf(await text(response)), `slowly ${prompt}`);
}

async function askForNothing(prompt: string): Promise<void> {
  const response = await post(`/v1/nothing?said=${encodeURIComponent(prompt)}`, chat(prompt));
  expectThat(response.statusCode === 404, `status ${response.statusCode}`);
  await text(response);
}

/** All kinds of exchanges; `often` is their relative frequency. */
export const exchanges: Record<string, { exchange: Exchange; often: number }> = {
  'kept connections': { exchange: (prompt) => askChat(prompt, { agent: kept }), often: 6 },
  'new connections': { exchange: (prompt) => askChat(prompt, {}), often: 4 },
  'slow streams': { exchange: askSlowly, often: 3 },
  'HTTP/2': { exchange: askHttp2, often: 3 },
  IPv6: { exchange: askGemini, often: 2 },
  WebSockets: { exchange: talk, often: 2 },
  'through the proxy': { exchange: askThroughProxy, often: 2 },
  'other hosts': { exchange: expectUntouched, often: 2 },
  'given up by the client': { exchange: giveUp, often: 2 },
  'broken off by the server': { exchange: breakOff, often: 2 },
  'not found': { exchange: askForNothing, often: 1 },
  'large bodies': { exchange: sendLarge, often: 1 },
  'slow readers': { exchange: readSlowly, often: 1 },
};
