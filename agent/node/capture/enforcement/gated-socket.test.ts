import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { connect as connectTcp } from 'node:net';
import OpenAI from 'openai';
import { OpenAIRealtimeWS } from 'openai/realtime/ws';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type RawData, WebSocket, WebSocketServer } from 'ws';
import { MAX_CHECKED_REQUEST_LENGTH } from '#contract/call-check.ts';
import type { PolicyRefusal } from '#agent/core/capture/enforcement/refusal.ts';
import { encodeFrame } from '#agent/core/capture/enforcement/socket-frames.ts';
import { CAPTURED, type Lab, startLab } from '../testing/lab.ts';

const refusal: PolicyRefusal = { policy: 'P', reason: 'no' };
const MESSAGE = `Blocked by your organization's policy "P": no`;
const REALTIME = '/v1/realtime?model=gpt-realtime';
const RESPONSES = '/v1/responses';
const LIVE =
  '/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent?key=abc';

let lab: Lab;
/** The messages that reached the provider. */
let reached: string[];
let upgrades: IncomingMessage[];
let closedWith: number[];
let providers: WebSocket[];
const sockets: WebSocket[] = [];

beforeEach(async () => {
  lab = await startLab();
  lab.config = { ...lab.config, enforce_policies: true };
  [reached, upgrades, closedWith, providers] = [[], [], [], []];
  const server = createHttpsServer(await lab.certify(CAPTURED), (_, response) => response.end());
  const accepting = new WebSocketServer({ noServer: true, perMessageDeflate: { threshold: 0 } });
  server.on('upgrade', (request, socket, head) => {
    upgrades.push(request);
    accepting.handleUpgrade(request, socket, head, (provider) => {
      providers.push(provider);
      provider.on('close', (code) => closedWith.push(code)).on('error', () => undefined);
      provider.on('message', (data) => {
        reached.push(textOfData(data));
        provider.send(JSON.stringify({ type: 'response.done', response: { id: reached.length } }));
      });
    });
  });
  await lab.listen(server);
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.terminate();
  await lab[Symbol.asyncDispose]();
});

const textOfData = (data: RawData): string => (data as Buffer).toString();

const createConnection = () => lab.connect(CAPTURED, { ALPNProtocols: ['http/1.1'] });

/** Opens a client of the `ws` package, and collects its messages. */
async function open(
  path: string,
  connection = createConnection,
): Promise<{ socket: WebSocket; received: string[] }> {
  const socket = new WebSocket(`wss://${CAPTURED}${path}`, { createConnection: connection });
  sockets.push(socket);
  const received: string[] = [];
  socket.on('message', (data) => received.push(textOfData(data))).on('error', () => undefined);
  await once(socket, 'open');
  return { socket, received };
}

const until = (condition: () => boolean) =>
  vi.waitFor(() => expect(condition()).toBe(true), { interval: 5 });
const createResponse = (input: string) =>
  JSON.stringify({ type: 'response.create', model: 'gpt-4o', input });
const textOf = (body: readonly Uint8Array[] = []) => Buffer.concat(body).toString();
const refuseWith = (word: string) => {
  lab.evaluate = ({ body }) => Promise.resolve(textOf(body).includes(word) ? refusal : null);
};

describe('calls over a WebSocket with enforced policies', () => {
  test('a refused call is answered with an error event, and the WebSocket stays open', async () => {
    refuseWith('secret');
    const { socket, received } = await open(RESPONSES);
    socket.send(createResponse('a secret'));
    socket.send(createResponse('harmless'));
    await until(() => received.length === 2);
    expect(JSON.parse(received[0] ?? '')).toMatchObject({
      type: 'error',
      status: 403,
      error: { code: 'policy_refused', message: MESSAGE },
    });
    expect(received[1]).toContain('response.done');
    expect(reached).toEqual([createResponse('harmless')]);
    expect(lab.heldRequests.map(({ body }) => JSON.parse(textOf(body)))).toEqual([
      { model: 'gpt-4o', input: 'a secret' },
      { model: 'gpt-4o', input: 'harmless' },
    ]);
    expect(lab.recorded[0]).toMatchObject({ refused: [0], passed: [0] });
  });

  test('messages that do not start a call continue, and a call is held with all messages after it', async () => {
    const verdict = Promise.withResolvers<PolicyRefusal | null>();
    lab.evaluate = () => verdict.promise;
    const { socket } = await open(REALTIME);
    const update = JSON.stringify({ type: 'session.update', session: { type: 'realtime' } });
    socket.send(update);
    await until(() => reached.length === 1);
    const call = JSON.stringify({ type: 'response.create' });
    socket.send(call);
    socket.send(update);
    await until(() => lab.heldRequests.length === 1);
    expect(reached).toEqual([update]);
    verdict.resolve(null);
    await until(() => reached.length === 3);
    expect(reached).toEqual([update, call, update]);
  });

  test('the server’s messages continue while a call is held', async () => {
    const verdict = Promise.withResolvers<PolicyRefusal | null>();
    lab.evaluate = () => verdict.promise;
    const { socket, received } = await open(RESPONSES);
    socket.send(createResponse('held'));
    await until(() => lab.heldRequests.length === 1);
    providers[0]?.send('news');
    await until(() => received.length === 1);
    expect([received, reached]).toEqual([['news'], []]);
    verdict.resolve(null);
    await until(() => reached.length === 1);
  });

  test('a fragmented message is one call, even with control frames in between', async () => {
    refuseWith('secret');
    const { socket, received } = await open(RESPONSES);
    const message = createResponse(`a secret ${'x'.repeat(200_000)}`);
    const ponged = once(socket, 'pong');
    socket.send(message.slice(0, 50), { fin: false });
    socket.ping();
    socket.send(message.slice(50));
    await ponged;
    await until(() => received.length === 1);
    expect(received[0]).toContain('policy_refused');
    expect(reached).toEqual([]);
  });

  test("OpenAI's realtime client receives an error, and the model and the items are checked", async () => {
    refuseWith('secret');
    const client = new OpenAI({ apiKey: 'sk-test', baseURL: `https://${CAPTURED}/v1` });
    const realtime = new OpenAIRealtimeWS(
      { model: 'gpt-realtime', options: { createConnection } },
      client,
    );
    sockets.push(realtime.socket);
    const failed = new Promise<Error>((resolve) => realtime.on('error', resolve));
    await once(realtime.socket, 'open');
    realtime.send({
      type: 'conversation.item.create',
      item: { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'a secret' }] },
    });
    realtime.send({ type: 'response.create', event_id: 'mine' });
    const error = await failed;
    expect(error.message).toContain(MESSAGE);
    expect(error).toMatchObject({ error: { code: 'policy_refused', event_id: 'mine' } });
    expect(reached.map((text) => (JSON.parse(text) as { type: string }).type)).toEqual([
      'conversation.item.create',
    ]);
    expect(lab.heldRequests[0]?.target).toBe(REALTIME);
    expect(JSON.parse(textOf(lab.heldRequests[0]?.body))).toMatchObject({
      session: { model: 'gpt-realtime' },
      items: [{ role: 'user' }],
    });
    // A call that was not made is not an agent run.
    expect(lab.recorded[0]).toMatchObject({ refused: [0], passed: [] });
    expect(lab.recorded[0]?.fromServer).not.toContain('policy_refused');
  });

  test('the newest part of a long conversation is checked, and marked as truncated', async () => {
    refuseWith('secret');
    const { socket, received } = await open(REALTIME);
    const create = (text: string) =>
      JSON.stringify({ type: 'conversation.item.create', item: { role: 'user', content: text } });
    for (let i = 0; i < 30; i += 1) socket.send(create(`${i}`.repeat(5000)));
    socket.send(create('a secret'));
    socket.send(JSON.stringify({ type: 'response.create' }));
    await until(() => received.some((text) => text.includes('policy_refused')));
    expect(lab.heldRequests[0]).toMatchObject({ truncated: true });
    const checked = textOf(lab.heldRequests[0]?.body).slice(0, MAX_CHECKED_REQUEST_LENGTH);
    expect(checked).toContain('a secret');
  });

  test('if the protocol has no error event, the WebSocket is closed with a reason', async () => {
    refuseWith('secret');
    const { socket } = await open(LIVE);
    const setup = JSON.stringify({ setup: { model: 'models/gemini-live' } });
    const turn = (text: string) =>
      JSON.stringify({
        clientContent: { turns: [{ role: 'user', parts: [{ text }] }], turnComplete: true },
      });
    socket.send(setup);
    socket.send(turn('harmless'));
    await until(() => reached.length === 2);
    const closed = once(socket, 'close');
    socket.send(turn('a secret'));
    const [code, reason] = (await closed) as [number, Buffer];
    expect([code, String(reason)]).toEqual([1008, MESSAGE]);
    await until(() => closedWith.length === 1);
    expect(closedWith).toEqual([1000]);
    expect(reached).toEqual([setup, turn('harmless')]);
    expect(JSON.parse(textOf(lab.heldRequests[0]?.body))).toMatchObject({ model: 'gemini-live' });
    await until(() => lab.interceptor.openCount() === 0);
  });

  test('a call sent before the server has accepted the WebSocket is held', async () => {
    refuseWith('secret');
    const client = createConnection();
    // Ends with a line break, as if it were a request.
    const frameOf = (input: string) =>
      encodeFrame(1, Buffer.from(`${createResponse(input)}\r\n`), Buffer.alloc(4));
    const head = [
      `GET ${RESPONSES} HTTP/1.1`,
      `Host: ${CAPTURED}`,
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    ].join('\r\n');
    client.write(
      Buffer.concat([Buffer.from(`${head}\r\n\r\n`), ...['a secret', 'harmless'].map(frameOf)]),
    );
    await until(() => reached.length === 1);
    expect(reached).toEqual([`${createResponse('harmless')}\r\n`]);
    expect([lab.heldRequests.length, lab.notices]).toEqual([2, []]);
    client.write(frameOf('later'));
    await until(() => reached.length === 2);
    client.destroy();
  });

  test('after a response that declines the WebSocket, the next call on the connection is held', async () => {
    lab.evaluate = () => Promise.resolve(refusal);
    const client = createConnection();
    let received = '';
    client.on('data', (chunk: Buffer) => (received += chunk.toString()));
    const upgrade = `GET ${RESPONSES} HTTP/1.1\r\nHost: ${CAPTURED}\r\nUpgrade: websocket\r\n\r\n`;
    const call = `POST ${RESPONSES} HTTP/1.1\r\nHost: ${CAPTURED}\r\nContent-Length: 2\r\n\r\n{}`;
    client.write(upgrade + call);
    await until(() => received.includes('policy_refused'));
    expect(received).toMatch(/^HTTP\/1.1 200 [^]*HTTP\/1.1 403 /);
    client.destroy();
  });

  test('compression is not negotiated, except without enforcement or for other hosts', async () => {
    await open(RESPONSES);
    await open('/v1/other');
    lab.config = { ...lab.config, enforce_policies: false };
    await open(RESPONSES);
    expect(
      upgrades.map(({ headers }) => headers['sec-websocket-extensions'] !== undefined),
    ).toEqual([false, true, true]);
  });

  test('a message over a megabyte passes and is reported, and later messages pass too', async () => {
    lab.evaluate = () => Promise.resolve(refusal);
    const { socket } = await open(RESPONSES);
    const long = createResponse('x'.repeat(1024 * 1024));
    socket.send(long);
    socket.send(createResponse('next'));
    await until(() => reached.length === 2);
    expect(reached).toEqual([long, createResponse('next')]);
    expect(lab.notices).toEqual([
      expect.stringContaining('policies are not enforced on a connection: a message over'),
    ]);
  });

  test('after enforcement is switched off, calls on an open WebSocket are no longer held', async () => {
    lab.evaluate = () => Promise.resolve(refusal);
    const { socket, received } = await open(RESPONSES);
    socket.send(createResponse('one'));
    await until(() => received.length === 1);
    lab.config = { ...lab.config, enforce_policies: false };
    socket.send(createResponse('two'));
    await until(() => reached.length === 1);
    expect(reached).toEqual([createResponse('two')]);
  });

  test('the call of a client that disconnects while waiting is not forwarded', async () => {
    const verdict = Promise.withResolvers<PolicyRefusal | null>();
    lab.evaluate = () => verdict.promise;
    const tcp = connectTcp(lab.port, '127.0.0.1');
    const tls = lab.connect(CAPTURED, { socket: tcp, ALPNProtocols: ['http/1.1'] });
    const { socket } = await open(RESPONSES, () => tls);
    socket.send(createResponse('abandoned'));
    await until(() => lab.heldRequests.length === 1);
    tcp.resetAndDestroy();
    await until(() => lab.interceptor.openCount() === 0);
    verdict.resolve(null);
    await until(() => closedWith.length === 1);
    expect(reached).toEqual([]);
  });
});
