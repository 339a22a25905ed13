import { once } from 'node:events';
import { createServer as createHttpsServer, request as httpsRequest } from 'node:https';
import { createSecureServer } from 'node:http2';
import { text } from 'node:stream/consumers';
import { connect as connectTcp } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { PolicyRefusal } from '#agent/core/capture/enforcement/refusal.ts';
import { CAPTURED, type Lab, startLab } from '../testing/lab.ts';

const refusal: PolicyRefusal = { policy: 'P', reason: 'no' };
const MESSAGE = `Blocked by your organization's policy "P": no`;
const PATH = '/v1/chat/completions';

let lab: Lab;
/** The requests that reached the provider, in order. */
let reached: { method: string; url: string; body: string }[];
beforeEach(async () => {
  lab = await startLab();
  lab.config = { ...lab.config, enforce_policies: true };
  reached = [];
});
afterEach(() => lab[Symbol.asyncDispose]());

async function startProvider(): Promise<void> {
  const server = createHttpsServer(await lab.certify(CAPTURED), (request, response) => {
    void text(request).then((body) => {
      const { method = '', url = '' } = request;
      reached.push({ method, url, body });
      response.end(`answer to ${url}`);
    });
  });
  server.on('checkContinue', (request, response) => {
    response.writeContinue();
    server.emit('request', request, response);
  });
  await lab.listen(server);
}

/** Opens an HTTP/1.1 connection on which text can be written and read. */
async function open(): Promise<{ socket: TLSSocket; received: () => string }> {
  const socket = lab.connect(CAPTURED, { ALPNProtocols: ['http/1.1'] });
  let received = '';
  socket.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')));
  socket.on('error', () => undefined);
  await once(socket, 'secureConnect');
  return { socket, received: () => received };
}

const post = (body: string, more = '') =>
  `POST ${PATH} HTTP/1.1\r\nHost: ${CAPTURED}\r\n${more}Content-Length: ${body.length}\r\n\r\n${body}`;
const chunked = (...chunks: string[]) =>
  `POST ${PATH} HTTP/1.1\r\nHost: ${CAPTURED}\r\nTransfer-Encoding: chunked\r\n\r\n${[...chunks, '']
    .map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`)
    .join('')}`;
const get = `GET /v1/models HTTP/1.1\r\nHost: ${CAPTURED}\r\n\r\n`;
test('a call of which only the beginning could be held is reported, once', async () => {
  await using small = await startLab({ maxHeldBytes: 1000 });
  small.config = { ...small.config, enforce_policies: true };
  const server = createHttpsServer(await small.certify(CAPTURED), (request, response) => {
    void text(request).then(() => response.end());
  });
  await small.listen(server);
  for (let call = 0; call < 2; call += 1) {
    const socket = small.connect(CAPTURED, { ALPNProtocols: ['http/1.1'] });
    socket.write(post('x'.repeat(70_000)));
    await once(socket, 'data');
    socket.destroy();
  }
  expect(small.heldRequests.map(({ truncated }) => truncated)).toEqual([true, true]);
  expect(small.notices).toEqual([
    'too many calls are held at once: of some, only the beginning is checked',
  ]);
});

const refuseWith = (word: string) => {
  lab.evaluate = ({ body }) => Promise.resolve(Buffer.concat(body).includes(word) ? refusal : null);
};
const until = (condition: () => boolean) =>
  vi.waitFor(() => expect(condition()).toBe(true), { interval: 5 });

describe('with enforced policies', () => {
  test('a refused call does not reach the server, and the connection stays open', async () => {
    await startProvider();
    refuseWith('secret');
    const { socket, received } = await open();
    socket.write(post('a secret'));
    await until(() => received().includes(MESSAGE.replaceAll('"', '\\"')));
    expect(received()).toMatch(/^HTTP\/1\.1 403 Forbidden\r\ncontent-type: application\/json\r\n/);
    expect(reached).toEqual([]);
    socket.write(post('harmless'));
    await until(() => received().includes(`answer to ${PATH}`));
    expect(reached).toEqual([{ method: 'POST', url: PATH, body: 'harmless' }]);
    expect(lab.recorded[0]).toMatchObject({
      protocol: 'http/1.1',
      refused: [0],
      fromClient: post('a secret') + post('harmless'),
      fromServer: received(),
    });
    socket.destroy();
  });

  test('requests that are not calls continue while a verdict is pending', async () => {
    await startProvider();
    lab.evaluate = () => new Promise(() => undefined);
    const { socket, received } = await open();
    socket.write(get);
    await until(() => received().includes('answer to /v1/models'));
    socket.write(post('call') + get);
    await until(() => lab.heldRequests.length === 1);
    expect(reached).toHaveLength(1);
    socket.destroy();
  });

  test('pipelined and chunked calls are evaluated separately, and answered in order', async () => {
    await startProvider();
    refuseWith('secret');
    const { socket, received } = await open();
    socket.write(get + chunked('a se', 'cret') + chunked('harm', 'less') + get);
    await until(() => received().split('answer to').length === 4);
    const responses = [...received().matchAll(/answer to \S+|Blocked/g)].map(
      ([response]) => response,
    );
    expect(responses.map((response) => response.replace(/HTTP.*/, ''))).toEqual([
      'answer to /v1/models',
      'Blocked',
      `answer to ${PATH}`,
      'answer to /v1/models',
    ]);
    expect(reached.map(({ body }) => body).toSorted()).toEqual(['', '', 'harmless']);
    expect(lab.heldRequests.map(({ body }) => Buffer.concat(body).toString())).toEqual([
      'a secret',
      'harmless',
    ]);
    socket.destroy();
  });

  test.each([true, false])(
    'a client that waits for 100 Continue gets it once; refused: %s',
    async (refused) => {
      await startProvider();
      lab.evaluate = () => Promise.resolve(refused ? refusal : null);
      const sent = httpsRequest({
        createConnection: () => lab.connect(CAPTURED, { ALPNProtocols: ['http/1.1'] }),
        method: 'POST',
        path: PATH,
        headers: { host: CAPTURED, expect: '100-continue', 'content-length': 5 },
      });
      let continued = 0;
      sent.on('continue', () => {
        continued += 1;
        sent.end('hello');
      });
      sent.flushHeaders();
      const [response] = await once(sent, 'response');
      const { statusCode } = response as { statusCode: number };
      const body = await text(response as AsyncIterable<Buffer> as never);
      expect([statusCode, continued]).toEqual([refused ? 403 : 200, 1]);
      expect(body).toContain(refused ? 'Blocked by' : 'answer to');
      expect(reached.map((one) => one.body)).toEqual(refused ? [] : ['hello']);
      sent.destroy();
    },
  );

  test('a compressed body is evaluated and forwarded unchanged', async () => {
    await startProvider();
    const body = gzipSync('compressed').toString('latin1');
    const { socket, received } = await open();
    socket.write(Buffer.from(post(body, 'Content-Encoding: gzip\r\n'), 'latin1'));
    await until(() => received().includes('answer to'));
    expect(Buffer.concat(lab.heldRequests[0]?.body ?? []).toString('latin1')).toBe(body);
    expect(lab.heldRequests[0]?.headers).toContainEqual(['content-encoding', 'gzip']);
    socket.destroy();
  });

  test('the call of a client that disconnects while waiting is not forwarded', async () => {
    await startProvider();
    const evaluating = Promise.withResolvers<PolicyRefusal | null>();
    lab.evaluate = () => evaluating.promise;
    const tcp = connectTcp(lab.port, '127.0.0.1');
    const socket = lab.connect(CAPTURED, { socket: tcp, ALPNProtocols: ['http/1.1'] });
    socket.on('error', () => undefined);
    await once(socket, 'secureConnect');
    socket.write(post('abandoned'));
    await until(() => lab.heldRequests.length === 1);
    tcp.resetAndDestroy();
    await until(() => lab.interceptor.openCount() === 0);
    evaluating.resolve(null);
    lab.evaluate = () => Promise.resolve(null);
    const next = await open();
    next.socket.write(post('next'));
    await until(() => next.received().includes('answer to'));
    expect(reached.map(({ body }) => body)).toEqual(['next']);
    next.socket.destroy();
  });

  test.each([
    ['passes', null, 'answer to'],
    ['is refused', refusal, 'Blocked'],
  ])('a call of a client that sends nothing more %s', async (_, verdict, expected) => {
    await startProvider();
    lab.evaluate = async () => {
      // The client's end has been received by then.
      for (let turn = 0; turn < 50; turn += 1) await new Promise((next) => setImmediate(next));
      return verdict;
    };
    const socket = lab.connect(CAPTURED, { ALPNProtocols: ['http/1.1'], allowHalfOpen: true });
    await once(socket, 'secureConnect');
    socket.end(post('the last', 'Connection: close\r\n'));
    expect(await text(socket)).toContain(expected);
    expect(reached).toHaveLength(verdict ? 0 : 1);
  });

  test('a body over a megabyte is evaluated by its beginning, and the rest gets the same decision', async () => {
    await startProvider();
    for (const verdict of [null, refusal]) {
      lab.evaluate = () => Promise.resolve(verdict);
      const { socket, received } = await open();
      const body = 'x'.repeat(3 * 1024 * 1024);
      socket.write(post(body) + get);
      await until(() => received().includes('answer to /v1/models'));
      expect(lab.heldRequests.at(-1)).toMatchObject({ truncated: true });
      expect(received()).toContain(verdict ? 'Blocked' : `answer to ${PATH}`);
      socket.destroy();
    }
    const lengths = reached.map(({ body }) => body.length);
    expect(lengths.toSorted((a, b) => a - b)).toEqual([0, 0, 3 * 1024 * 1024]);
  });

  test('after enforcement is switched off, calls on open connections are no longer held', async () => {
    await startProvider();
    lab.evaluate = () => Promise.resolve(refusal);
    const { socket, received } = await open();
    socket.write(post('one'));
    await until(() => received().includes('Blocked'));
    lab.config = { ...lab.config, enforce_policies: false };
    socket.write(post('two'));
    await until(() => received().includes('answer to'));
    expect(reached.map(({ body }) => body)).toEqual(['two']);
    socket.destroy();
  });
});

describe('the negotiated protocol is', () => {
  async function startBoth(): Promise<void> {
    const options = { ...(await lab.certify(CAPTURED)), allowHTTP1: true };
    await lab.listen(createSecureServer(options, (_, response) => void response.end('ok')));
  }
  const chosenOf = async (...ALPNProtocols: string[]) => {
    const before = lab.recorded.length;
    const socket = lab.connect(CAPTURED, { ALPNProtocols });
    await once(socket, 'secureConnect');
    const { alpnProtocol } = socket;
    await until(() => lab.recorded.length > before);
    socket.destroy();
    return alpnProtocol;
  };

  test('HTTP/1.1 with clients that support it; without enforcement the one that they prefer', async () => {
    await startBoth();
    expect(await chosenOf('h2', 'http/1.1')).toBe('http/1.1');
    expect(lab.notices).toEqual([]);
    lab.config = { ...lab.config, enforce_policies: false };
    expect(await chosenOf('h2', 'http/1.1')).toBe('h2');
  });

  test('HTTP/2 with a client that supports only HTTP/2', async () => {
    await startBoth();
    expect(await chosenOf('h2')).toBe('h2');
    expect(lab.notices).toEqual([]);
    expect(lab.recorded).toMatchObject([{ protocol: 'h2' }]);
  });

  test('HTTP/2 with a server that supports only HTTP/2', async () => {
    const options = { ...(await lab.certify(CAPTURED)), ALPNProtocols: ['h2'] };
    await lab.listen(createSecureServer(options, (_, response) => void response.end('ok')));
    expect(await chosenOf('h2', 'http/1.1')).toBe('h2');
  });
});
