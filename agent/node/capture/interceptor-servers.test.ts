import { once } from 'node:events';
import { connect as connectTcp, createServer as createTcpServer } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CAPTURED, type Lab, OTHER, startLab } from './testing/lab.ts';
import { exchange, issuerOf, serveUpperCase } from './testing/upper-case-server.ts';

/** The alert `handshake_failure`. */
const FAILURE = Buffer.from([0x15, 3, 3, 0, 2, 2, 40]);

let lab: Lab;
beforeEach(async () => {
  lab = await startLab();
});
afterEach(() => lab[Symbol.asyncDispose]());

describe('the client itself sees a server whose TLS cannot be terminated', () => {
  test('because of a self-signed certificate', async () => {
    const unknown = await startLab();
    const server = createTlsServer(await unknown.certify(CAPTURED));
    await unknown[Symbol.asyncDispose]();
    await lab.listen(server);
    const socket = lab.connect(CAPTURED);
    const [error] = await once(socket, 'error');
    expect(error).toMatchObject({ code: 'SELF_SIGNED_CERT_IN_CHAIN' });
    expect(lab.recorded).toEqual([]);
  });

  test('because of a certificate for another name', async () => {
    await serveUpperCase(lab, OTHER);
    const [error] = await once(lab.connect(CAPTURED), 'error');
    expect(error).toMatchObject({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' });
  });

  test.each([
    ['TLSv1.2', 'ends the handshake, as one does that requires a client certificate'],
    ['TLSv1.3', 'requests a client certificate'],
  ] as const)(
    'because it requires client certificates, %s: passed through from then on',
    async (version, reason) => {
      const own = await lab.certifyClient('ada');
      const server = createTlsServer(
        {
          ...(await lab.certify(CAPTURED)),
          requestCert: true,
          ca: lab.worldRoot.certificatePem,
          maxVersion: version,
        },
        (socket) =>
          socket
            .on('error', () => undefined)
            .end(`hello ${String(socket.getPeerCertificate().subject.CN)}`),
      );
      await lab.listen(server);
      const [answer] = await once(lab.connect(CAPTURED, own), 'data');
      expect(String(answer)).toBe('hello ada');
      expect(lab.notices).toContain(`${CAPTURED}: passed through, its server ${reason}`);
    },
  );

  test('because it requests an optional certificate, which the client itself can send', async () => {
    const own = await lab.certifyClient('ada');
    const server = createTlsServer(
      {
        ...(await lab.certify(CAPTURED)),
        requestCert: true,
        rejectUnauthorized: false,
        ca: lab.worldRoot.certificatePem,
      },
      (socket) => socket.end(`hello ${String(socket.getPeerCertificate().subject?.CN)}`),
    );
    await lab.listen(server);
    const [answer] = await once(lab.connect(CAPTURED, own), 'data');
    expect(String(answer)).toBe('hello ada');
    expect(lab.recorded).toEqual([]);
  });

  test('after a failed handshake, a host is tried again after an hour', async () => {
    const port = await serveUpperCase(lab, CAPTURED);
    let isFailing = true;
    const server = createTcpServer((socket) => {
      if (isFailing) return void socket.on('data', () => socket.end(FAILURE));
      socket.on('error', () => undefined);
      socket.pipe(connectTcp(port, '127.0.0.1').on('error', () => undefined)).pipe(socket);
    });
    await lab.listen(server);
    await once(lab.connect(CAPTURED), 'error');
    isFailing = false;
    for (const [ahead, issuer] of [
      [0, 'World'],
      [3_600_001, 'dev_1 capture'],
    ] as const) {
      lab.clockOffsetMs = ahead;
      const socket = lab.connect(CAPTURED);
      await exchange(socket, 'hello');
      expect(issuerOf(socket)).toBe(issuer);
      socket.destroy();
    }
  });

  test('after a failed handshake with another address, the host is captured', async () => {
    // A client may name any host, and connect to a server of its own.
    const failing = createTcpServer((socket) => void socket.on('data', () => socket.end(FAILURE)));
    await lab.listen(failing);
    await once(lab.connect(CAPTURED), 'error');
    await serveUpperCase(lab, CAPTURED);
    const socket = lab.connect(CAPTURED);
    await exchange(socket, 'hello');
    expect(issuerOf(socket)).toBe('dev_1 capture');
    socket.destroy();
  });

  test('without a server, the connection is reset', async () => {
    const port = await lab.listen(createTcpServer());
    expect(port).toBeGreaterThan(0);
    await serveUpperCase(lab, CAPTURED);
    const gone = createTcpServer();
    await lab.listen(gone);
    gone.close();
    const [error] = await once(lab.connect(CAPTURED), 'error');
    expect(error).toMatchObject({ code: 'ECONNRESET' });
  });
});

test('if the address of a host does not respond, another one is tried, as the client would do', async () => {
  const gone = createTcpServer();
  const port = await lab.listen(gone);
  gone.close();
  const server = createTlsServer(await lab.certify(CAPTURED), (socket) => socket.end('here'));
  await once(server.listen(port, '127.0.0.2'), 'listening');
  lab.addressOf = (name) => (name === CAPTURED ? '127.0.0.2' : undefined);
  const [answer] = await once(lab.connect(CAPTURED), 'data');
  expect(String(answer)).toBe('here');
  server.close();
});

test('a server that never responds does not delay closing', async () => {
  const silent = createTcpServer();
  await lab.listen(silent);
  const reached = once(silent, 'connection');
  lab.connect(CAPTURED).on('error', () => undefined);
  await reached;
  await lab.interceptor.close();
  expect(lab.interceptor.openCount()).toBe(0);
});

test('a server that does not answer is not tried again to pass the client through', async () => {
  await using silent = await startLab({ connectTimeoutMs: 50 });
  silent.routeTo(CAPTURED, 443);
  silent.isSilent = true;
  const [error] = await once(silent.connect(CAPTURED), 'error');
  expect(error).toMatchObject({ code: 'ECONNRESET' });
  // The address that the client connected to, and the name of the host.
  expect(silent.lookups).toEqual([CAPTURED, CAPTURED]);
});
