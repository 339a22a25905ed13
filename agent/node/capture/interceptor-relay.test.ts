import { once } from 'node:events';
import { connect as connectHttp2, createSecureServer } from 'node:http2';
import { request } from 'node:https';
import { connect as connectTcp, createServer as createTcpServer, type Socket } from 'node:net';
import { createServer as createTlsServer, type TLSSocket } from 'node:tls';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { CAPTURED, type Lab, startLab } from './testing/lab.ts';
import { exchange, issuerOf, serveUpperCase } from './testing/upper-case-server.ts';

let lab: Lab;
beforeEach(async () => {
  lab = await startLab();
});
afterEach(() => lab[Symbol.asyncDispose]());

describe('bytes are relayed unchanged', () => {
  test.each([
    ['nothing', Buffer.alloc(0)],
    ['the beginning of a ClientHello', Buffer.from([0x16, 3, 1, 2, 0, 1, 0])],
    ['something else', Buffer.from('GET / HTTP/1.0\r\n\r\n')],
  ])('%s, followed by the end', async (_, bytes) => {
    const got: Buffer[] = [];
    const server = createTcpServer({ allowHalfOpen: true }, (socket) =>
      socket.on('data', (data) => got.push(data)).on('end', () => socket.end('bye')),
    );
    await lab.listen(server);
    const socket = connectTcp({ host: '127.0.0.1', port: lab.port, allowHalfOpen: true });
    socket.end(bytes);
    expect(String((await once(socket, 'data'))[0])).toBe('bye');
    expect(Buffer.concat(got)).toEqual(bytes);
    await vi.waitFor(() => expect(lab.interceptor.openCount()).toBe(0));
  });

  test('one direction may end before the other', async () => {
    await serveUpperCase(lab, CAPTURED);
    const socket = lab.connect(CAPTURED, { allowHalfOpen: true });
    expect(await exchange(socket, 'hello')).toBe('HELLO');
    socket.end();
    expect(String((await once(socket, 'data'))[0])).toBe('bye');
    await once(socket, 'end');
  });

  test('a megabyte in each direction at once, with a slow reader', async () => {
    const big = Buffer.alloc(3_000_000, 'abcdefghij');
    const got: Buffer[] = [];
    const server = createTlsServer(await lab.certify(CAPTURED), (socket) => {
      socket.on('error', () => undefined);
      socket.on('data', (data) => got.push(data));
      socket.end(big);
    });
    await lab.listen(server);
    const socket = lab.connect(CAPTURED, { allowHalfOpen: true });
    await once(socket, 'secureConnect');
    socket.end(big);
    const received: Buffer[] = [];
    for await (const chunk of socket) received.push(chunk as Buffer);
    expect(Buffer.concat(received).equals(big)).toBe(true);
    await vi.waitFor(() => expect(Buffer.concat(got).equals(big)).toBe(true));
  });

  test('a reset of the server reaches the client, and a reset of the client reaches the server', async () => {
    const accepted: TLSSocket[] = [];
    const raw: Socket[] = [];
    const server = createTlsServer(await lab.certify(CAPTURED), (socket) => {
      socket.on('error', () => undefined);
      accepted.push(socket);
    });
    server.on('connection', (socket: Socket) => raw.push(socket));
    await lab.listen(server);

    const one = lab.connect(CAPTURED);
    await once(one, 'secureConnect');
    await vi.waitFor(() => expect(accepted).toHaveLength(1));
    raw[0]?.resetAndDestroy();
    expect((await once(one, 'error'))[0]).toMatchObject({ code: 'ECONNRESET' });

    const tcp = connectTcp(lab.port, '127.0.0.1').on('error', () => undefined);
    const two = lab.connect(CAPTURED, { socket: tcp });
    two.on('error', () => undefined);
    await once(two, 'secureConnect');
    await vi.waitFor(() => expect(accepted).toHaveLength(2));
    const failed = once(accepted[1] as TLSSocket, 'error');
    tcp.resetAndDestroy();
    await failed;
    await vi.waitFor(() => expect(lab.interceptor.openCount()).toBe(0));
  });

  test('data that the server sent right before it reset the connection arrives', async () => {
    const raw: Socket[] = [];
    const server = createTlsServer(await lab.certify(CAPTURED), (socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => {
        socket.write('the beginning');
        raw.pop()?.resetAndDestroy();
      });
    });
    server.on('connection', (socket: Socket) => raw.push(socket));
    await lab.listen(server);
    for (let round = 0; round < 20; round += 1) {
      const socket = lab.connect(CAPTURED);
      let received = '';
      socket.on('data', (chunk) => (received += String(chunk))).on('error', () => undefined);
      socket.write('begin');
      // Node's `once` would reject at the error, which is emitted first.
      await new Promise((resolve) => socket.once('close', resolve));
      expect(received).toBe('the beginning');
    }
  });

  test("HTTP/2 and HTTP/1.1, depending on the server's choice from the client's offer", async () => {
    const server = createSecureServer(
      { ...(await lab.certify(CAPTURED)), allowHTTP1: true },
      (request, response) =>
        response.end(
          `${request.httpVersion} ${request.headers.host ?? request.headers[':authority']}`,
        ),
    );
    await lab.listen(server);
    const session = connectHttp2(`https://${CAPTURED}`, {
      createConnection: () => lab.connect(CAPTURED, { ALPNProtocols: ['h2', 'http/1.1'] }),
    });
    const stream = session.request({ ':path': '/' }).setEncoding('utf8');
    expect(await once(stream, 'data')).toEqual([`2.0 ${CAPTURED}:443`]);
    session.destroy();

    const outgoing = request({
      host: CAPTURED,
      createConnection: () => lab.connect(CAPTURED, { ALPNProtocols: ['http/1.1'] }),
    }).end();
    const [response] = await once(outgoing, 'response');
    expect(await once(response.setEncoding('utf8'), 'data')).toEqual([`1.1 ${CAPTURED}:80`]);
    expect(lab.recorded.map(({ protocol }) => protocol)).toEqual(['h2', 'http/1.1']);
  });

  test('a client with an unsupported protocol passes through', async () => {
    const server = createTlsServer(
      { ...(await lab.certify(CAPTURED)), ALPNProtocols: ['acme-tls/1'] },
      (socket) => socket.end('ok'),
    );
    await lab.listen(server);
    const socket = lab.connect(CAPTURED, { ALPNProtocols: ['acme-tls/1'] });
    await once(socket, 'secureConnect');
    expect([issuerOf(socket), socket.alpnProtocol]).toEqual(['World', 'acme-tls/1']);
    socket.destroy();
  });
});
