import { createSecureServer } from 'node:http2';
import { text } from 'node:stream/consumers';
import { createServer as createTlsServer, type TLSSocket } from 'node:tls';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createConnectionObserver } from '#agent/core/capture/wire/connection-observer.ts';
import { createCopyBudget } from '#agent/core/capture/wire/copy-budget.ts';
import type { ObservedExchange } from '#agent/core/capture/wire/exchange.ts';
import { createFrameReader, frameType } from '#agent/core/capture/wire/http2-frames.ts';
import {
  data,
  END_STREAM,
  headers,
  preface,
  resetStream,
  settings,
} from '#agent/core/capture/wire/testing/http2-writer.ts';
import { CAPTURED, type Lab, startLab } from '../testing/lab.ts';

const CHAT = '/v1/chat/completions';
const MODELS = '/v1/models';
const fields = (method: string, path: string, more: Record<string, string> = {}) => ({
  ':method': method,
  ':scheme': 'https',
  ':authority': CAPTURED,
  ':path': path,
  ...more,
});

let lab: Lab;
/** The requests that reached the provider: `method path: body`. */
let reached: string[];
/** The hosts named in those requests. */
let authorities: unknown[];
let clients: TLSSocket[];

beforeEach(async () => {
  lab = await startLab();
  lab.config = { ...lab.config, enforce_policies: true };
  [reached, authorities, clients] = [[], [], []];
});
afterEach(async () => {
  for (const client of clients) client.destroy();
  await lab[Symbol.asyncDispose]();
});

async function startProvider(): Promise<void> {
  const server = createSecureServer(await lab.certify(CAPTURED));
  server.on('stream', (stream, received) => {
    stream.on('error', () => undefined);
    const respond = (body: string): void => {
      authorities.push(received[':authority']);
      reached.push(`${received[':method']} ${received[':path']}: ${body}`);
      stream.respond({ ':status': 200 });
      stream.end('answer');
    };
    text(stream).then(respond, () => undefined);
  });
  await lab.listen(server);
}

/**
 * Starts a provider that answers each request with these frames, whether or not HTTP/2 allows them.
 */
async function startRawProvider(
  framesOf: (streamId: number) => readonly Uint8Array[],
): Promise<void> {
  const options = { ...(await lab.certify(CAPTURED)), ALPNProtocols: ['h2'] };
  const server = createTlsServer(options, (socket) => {
    socket.on('error', () => undefined);
    socket.write(settings());
    let skipped = 0; // bytes of the preface
    const read = createFrameReader({
      begin: ({ type, streamId }) => {
        if (type === frameType.headers) for (const sent of framesOf(streamId)) socket.write(sent);
      },
      data: () => undefined,
      endData: () => undefined,
      whole: () => undefined,
    });
    socket.on('data', (chunk) => {
      const skip = Math.min(preface.length - skipped, chunk.length);
      skipped += skip;
      read(chunk.subarray(skip));
    });
  });
  await lab.listen(server);
}

/** Returns a client that sends these frames in one write, whether or not HTTP/2 allows them. */
function sendFrames(...frames: readonly Uint8Array[]): TLSSocket {
  const socket = lab.connect(CAPTURED, { ALPNProtocols: ['h2'] });
  clients.push(socket);
  socket.on('error', () => undefined).resume();
  socket.write(Buffer.concat([preface, settings(), ...frames]));
  return socket;
}

/** Returns the streams of the connection as the client sees them. */
function streams(): Pick<ObservedExchange, 'id' | 'status' | 'aborted'>[] {
  const exchanges: ObservedExchange[] = [];
  const observer = createConnectionObserver('h2', {
    now: () => 0,
    maxBodyBytes: 1024,
    budget: createCopyBudget(1024 * 1024),
    onExchange: (exchange) => exchanges.push(exchange),
    onExcluded: () => undefined,
    onGivenUp: (reason) => expect.unreachable(reason),
  });
  observer.fromClient(Buffer.from(lab.recorded[0]?.fromClient ?? '', 'latin1'));
  observer.fromServer(Buffer.from(lab.recorded[0]?.fromServer ?? '', 'latin1'));
  return exchanges
    .map(({ id, status, aborted }) => ({ id, status, aborted }))
    .toSorted((a, b) => a.id - b.id);
}

const untilOver = (count: number) =>
  vi.waitFor(() => expect(streams()).toHaveLength(count), { interval: 20 });
const reset = (id: number) => ({ id, status: null, aborted: true });
const completedStream = (id: number) => ({ id, status: 200, aborted: false });

describe('a stream that cannot be relayed over HTTP/2', () => {
  test.each([
    ['http2-settings', 'x'],
    ['te', 'Trailers'],
  ])(
    'a request with %s: %s is reset, held or not, and the others continue',
    async (name, value) => {
      await startProvider();
      sendFrames(
        headers(1, fields('GET', MODELS, { [name]: value }), END_STREAM),
        headers(3, fields('POST', CHAT, { [name]: value })),
        data(3, 'held', END_STREAM),
        headers(5, fields('POST', CHAT)),
        data(5, 'hello', END_STREAM),
      );
      await untilOver(3);
      expect(streams()).toEqual([reset(1), reset(3), completedStream(5)]);
      expect(reached).toEqual([`POST ${CHAT}: hello`]);
    },
  );

  test('a request with trailers that cannot be sent is reset, and the others continue', async () => {
    await startProvider();
    sendFrames(
      headers(1, fields('POST', CHAT)),
      data(1, 'body'),
      headers(1, { 'http2-settings': 'x' }, END_STREAM),
      headers(3, fields('GET', MODELS), END_STREAM),
    );
    await untilOver(2);
    expect(streams()).toEqual([reset(1), completedStream(3)]);
    expect(reached).toEqual([`GET ${MODELS}: `]);
  });

  test.each([
    ['early hints', [{ ':status': '103', 'http2-settings': 'x' }, { ':status': '200' }, {}]],
    ['trailers', [null, { ':status': '200' }, { 'http2-settings': 'x' }]],
  ] as const)('a response with %s that cannot be sent is reset', async (_, [early, head, end]) => {
    await startRawProvider((id) =>
      id === 1
        ? [
            ...(early ? [headers(id, early)] : []),
            headers(id, head),
            data(id, 'some'),
            headers(id, { ...end }, END_STREAM),
          ]
        : [headers(id, { ':status': '200' }, END_STREAM)],
    );
    sendFrames(headers(1, fields('GET', MODELS), END_STREAM));
    await untilOver(1);
    expect(streams()).toMatchObject([{ id: 1, aborted: true }]);
    clients[0]?.write(headers(3, fields('GET', MODELS), END_STREAM));
    await untilOver(2);
    expect(streams()[1]).toEqual(completedStream(3));
  });

  test('a call that is reset in the same write that opens it is not forwarded', async () => {
    await startProvider();
    sendFrames(
      headers(1, fields('POST', CHAT, { expect: '100-continue' })),
      resetStream(1),
      headers(3, fields('GET', MODELS), END_STREAM),
    );
    await untilOver(2);
    expect(streams()).toEqual([reset(1), completedStream(3)]);
    expect(lab.heldRequests).toEqual([]);
  });
});

test.each([
  ['other.example', 0],
  [CAPTURED, 1],
])('an HTTP/2 request without :authority but with `host: %s`', async (host, held) => {
  await startProvider();
  const request = { ':method': 'POST', ':scheme': 'https', ':path': CHAT, host };
  sendFrames(headers(1, request), data(1, 'hello', END_STREAM));
  await untilOver(1);
  expect(lab.heldRequests).toHaveLength(held);
  expect(authorities).toEqual([host]);
});
