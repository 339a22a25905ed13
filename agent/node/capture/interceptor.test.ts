import { once } from 'node:events';
import { connect as connectHttp2, createSecureServer } from 'node:http2';
import { request } from 'node:https';
import {
  type AddressInfo,
  connect as connectTcp,
  createServer as createTcpServer,
  type Socket,
} from 'node:net';
import { createServer as createTlsServer, type TLSSocket } from 'node:tls';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { CAPTURED, type Lab, OTHER, startLab } from './testing/lab.ts';

let lab: Lab;
beforeEach(async () => {
  lab = await startLab();
});
afterEach(() => lab[Symbol.asyncDispose]());

/** A TLS server that answers each piece with what it was, in capitals. */
async function shoutingServer(...names: string[]): Promise<void> {
  const server = createTlsServer({ ...(await lab.certify(...names)), allowHalfOpen: true });
  server.on('secureConnection', (socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (data) => socket.write(data.toString().toUpperCase()));
    socket.on('end', () => socket.end('bye'));
  });
  await lab.listen(server);
}

async function exchange(socket: TLSSocket, text: string): Promise<string> {
  await once(socket, 'secureConnect');
  socket.write(text);
  const [answer] = await once(socket, 'data');
  return String(answer);
}

const issuerOf = (socket: TLSSocket): string => String(socket.getPeerCertificate().issuer.CN);

describe('which connections are terminated', () => {
  test('those to a captured host, with a certificate of the device; the bytes are seen', async () => {
    await shoutingServer(CAPTURED);
    const socket = lab.connect(CAPTURED);
    expect(await exchange(socket, 'hello')).toBe('HELLO');
    expect(issuerOf(socket)).toBe('dev_1 capture');
    expect(lab.recorded).toMatchObject([
      {
        host: CAPTURED,
        protocol: null,
        client: lab.client,
        fromClient: 'hello',
        fromServer: 'HELLO',
      },
    ]);
    socket.destroy();
  });

  test.each([
    ['another host on the same address', () => OTHER],
    [
      'a captured host after it was switched off',
      () => ((lab.config = { ...lab.config, capture_enabled: false }), CAPTURED),
    ],
    [
      'a process that is not named',
      () => ((lab.config = { ...lab.config, intercept_processes: ['claude'] }), CAPTURED),
    ],
  ])('not %s: it keeps the certificate of its server', async (_, set) => {
    await shoutingServer(CAPTURED, OTHER);
    const socket = lab.connect(set());
    expect(await exchange(socket, 'hello')).toBe('HELLO');
    expect(issuerOf(socket)).toBe('World');
    expect(lab.recorded).toEqual([]);
    socket.destroy();
  });

  test('a named process is', async () => {
    lab.config = { ...lab.config, intercept_processes: ['curl'] };
    await shoutingServer(CAPTURED);
    const socket = lab.connect(CAPTURED);
    await exchange(socket, 'hello');
    expect(issuerOf(socket)).toBe('dev_1 capture');
    socket.destroy();
  });

  test('what is no TLS passes through, also when the server speaks first', async () => {
    await lab.listen(createTcpServer((socket) => socket.end('220 ready')));
    const socket = connectTcp(lab.port, '127.0.0.1').setEncoding('utf8');
    socket.write('EHLO');
    expect(await once(socket, 'data')).toEqual(['220 ready']);
  });
});

test.each([CAPTURED, OTHER])(
  'a name that leads to this machine is not connected to: %s',
  async (name) => {
    await shoutingServer(CAPTURED, OTHER);
    lab.routeTo('localhost', await lab.listen(createTcpServer((socket) => socket.end('local'))));
    const [error] = await once(lab.connect(name), 'error');
    expect(error).toMatchObject({ code: 'ECONNRESET' });
  },
);

describe('a server that cannot be terminated is the client’s to see', () => {
  test('a self-signed certificate', async () => {
    const unknown = await startLab();
    const server = createTlsServer(await unknown.certify(CAPTURED));
    await unknown[Symbol.asyncDispose]();
    await lab.listen(server);
    const socket = lab.connect(CAPTURED);
    const [error] = await once(socket, 'error');
    expect(error).toMatchObject({ code: 'SELF_SIGNED_CERT_IN_CHAIN' });
    expect(lab.recorded).toEqual([]);
  });

  test('a certificate for another name', async () => {
    await shoutingServer(OTHER);
    const [error] = await once(lab.connect(CAPTURED), 'error');
    expect(error).toMatchObject({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' });
  });

  test.each(['TLSv1.2', 'TLSv1.3'] as const)(
    'one that wants client certificates, %s: passed through from then on',
    async (version) => {
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
      expect(lab.notices).toContain(
        `${CAPTURED}: passed through, it asks its clients for certificates`,
      );
    },
  );

  test('one that asks for a certificate, and does without: the client answers it', async () => {
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

  test('a host whose handshake failed is tried again after an hour', async () => {
    const handshakeFailure = Buffer.from([0x15, 3, 3, 0, 2, 2, 40]);
    await lab.listen(
      createTcpServer((socket) => void socket.on('data', () => socket.end(handshakeFailure))),
    );
    await once(lab.connect(CAPTURED), 'error');
    await shoutingServer(CAPTURED);
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

  test('no server at all: the connection is reset', async () => {
    const port = await lab.listen(createTcpServer());
    expect(port).toBeGreaterThan(0);
    await shoutingServer(CAPTURED);
    const gone = createTcpServer();
    await lab.listen(gone);
    gone.close();
    const [error] = await once(lab.connect(CAPTURED), 'error');
    expect(error).toMatchObject({ code: 'ECONNRESET' });
  });
});

test('a host whose address does not answer is reached at another one, as the client would do', async () => {
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

test('a server that never answers does not hold up the end', async () => {
  const silent = createTcpServer();
  await lab.listen(silent);
  const reached = once(silent, 'connection');
  lab.connect(CAPTURED).on('error', () => undefined);
  await reached;
  await lab.interceptor.close();
  expect(lab.interceptor.openCount()).toBe(0);
});

describe('a client that does not accept the device’s certificate', () => {
  const strict = () => lab.connect(CAPTURED, { ca: lab.worldRoot.certificatePem });

  test('is passed through once it has refused it, and the device says so', async () => {
    await shoutingServer(CAPTURED);
    // Node closes without an alert, so that one time could be chance.
    for (let time = 0; time < 2; time++) await once(strict(), 'error');
    await vi.waitFor(() => expect(lab.notices).toHaveLength(1));
    const socket = strict();
    expect(await exchange(socket, 'hello')).toBe('HELLO');
    expect(lab.notices).toEqual([
      `curl does not accept this device's certificate for ${CAPTURED}: passed through, only metadata is seen`,
    ]);
    socket.destroy();
  });

  test('is passed through although another process of the same program accepts it', async () => {
    await shoutingServer(CAPTURED);
    await once(strict(), 'error');
    await vi.waitFor(() => expect(lab.interceptor.openCount()).toBe(0));
    lab.client = { ...lab.client, pid: 2 };
    const accepting = lab.connect(CAPTURED);
    await exchange(accepting, 'hello');
    accepting.destroy();
    lab.client = { ...lab.client, pid: 3 };
    await once(strict(), 'error');
    await vi.waitFor(() => expect(lab.notices).toHaveLength(1));
    const socket = strict();
    expect(await exchange(socket, 'hello')).toBe('HELLO');
    socket.destroy();
  });

  test('is no reason to pass another program through', async () => {
    await shoutingServer(CAPTURED);
    for (let time = 0; time < 2; time++) await once(strict(), 'error');
    await vi.waitFor(() => expect(lab.notices).toHaveLength(1));
    lab.client = { ...lab.client, process: 'node', path: '/usr/bin/node' };
    const socket = lab.connect(CAPTURED);
    await exchange(socket, 'hello');
    expect(issuerOf(socket)).toBe('dev_1 capture');
    socket.destroy();
  });
});

describe('a client that accepts the device’s certificate is not taken for one that refuses it', () => {
  const expectCaptured = async (): Promise<void> => {
    const socket = lab.connect(CAPTURED);
    await exchange(socket, 'hello');
    expect(issuerOf(socket)).toBe('dev_1 capture');
    expect(lab.notices).toEqual([]);
    socket.destroy();
  };

  test('when it closes connections that it opened ahead and did not need', async () => {
    await shoutingServer(CAPTURED);
    for (let time = 0; time < 2; time++) {
      const socket = lab.connect(CAPTURED);
      await once(socket, 'secureConnect');
      await vi.waitFor(() => expect(lab.recorded).toHaveLength(time + 1));
      lab.clockOffsetMs += 10_000;
      socket.destroy();
      await vi.waitFor(() => expect(lab.interceptor.openCount()).toBe(0));
    }
    await expectCaptured();
  });

  test('when it is the server that closes', async () => {
    await lab.listen(createTlsServer(await lab.certify(CAPTURED), (socket) => socket.end()));
    for (let time = 0; time < 2; time++) {
      await once(lab.connect(CAPTURED).resume(), 'end');
      await vi.waitFor(() => expect(lab.interceptor.openCount()).toBe(0));
    }
    await shoutingServer(CAPTURED);
    await expectCaptured();
  });

  test('as soon as it says something', async () => {
    await shoutingServer(CAPTURED);
    const stop = async (open: number): Promise<void> => {
      const socket = lab.connect(CAPTURED);
      await once(socket, 'secureConnect');
      socket.destroy();
      await vi.waitFor(() => expect(lab.interceptor.openCount()).toBe(open));
    };
    await stop(0);
    const kept = lab.connect(CAPTURED);
    await exchange(kept, 'hello');
    await stop(1);
    await expectCaptured();
    kept.destroy();
  });
});

describe('blocking', () => {
  test.each([
    ['a host', { blocked_hosts: [OTHER] }, OTHER],
    ['a captured host', { blocked_hosts: [CAPTURED] }, CAPTURED],
    ['a process, for AI hosts', { blocked_processes: ['/usr/bin/curl'] }, CAPTURED],
  ])('%s: the client gets "access denied"', async (_, change, host) => {
    await shoutingServer(CAPTURED, OTHER);
    lab.config = { ...lab.config, ...change };
    const [error] = await once(lab.connect(host), 'error');
    expect(error).toMatchObject({ code: 'ERR_SSL_TLSV1_ALERT_ACCESS_DENIED' });
    expect(lab.notices[0]).toMatch(/^curl: .*(blocked|may not reach AI hosts)$/);
  });

  test('a client that does not close its side is cut off soon', async () => {
    await shoutingServer(CAPTURED);
    lab.config = { ...lab.config, blocked_hosts: [CAPTURED] };
    const tcp = connectTcp({ host: '127.0.0.1', port: lab.port, allowHalfOpen: true });
    const socket = lab.connect(CAPTURED, { socket: tcp, allowHalfOpen: true });
    await once(socket, 'error');
    await vi.waitFor(() => expect(lab.interceptor.openCount()).toBe(0), { timeout: 20_000 });
    tcp.destroy();
  });

  test('a blocked process reaches other hosts', async () => {
    await shoutingServer(CAPTURED, OTHER);
    lab.config = { ...lab.config, blocked_processes: ['curl'] };
    const socket = lab.connect(OTHER);
    expect(await exchange(socket, 'hello')).toBe('HELLO');
    socket.destroy();
  });
});

describe('what is relayed is what was sent', () => {
  test.each([
    ['nothing', Buffer.alloc(0)],
    ['the beginning of a ClientHello', Buffer.from([0x16, 3, 1, 2, 0, 1, 0])],
    ['something else', Buffer.from('GET / HTTP/1.0\r\n\r\n')],
  ])('%s, and its end', async (_, bytes) => {
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
    await shoutingServer(CAPTURED);
    const socket = lab.connect(CAPTURED, { allowHalfOpen: true });
    expect(await exchange(socket, 'hello')).toBe('HELLO');
    socket.end();
    expect(String((await once(socket, 'data'))[0])).toBe('bye');
    await once(socket, 'end');
  });

  test('a megabyte in each direction at once, past a slow reader', async () => {
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

  test('a reset of the server reaches the client, and one of the client the server', async () => {
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

  test('HTTP/2 and HTTP/1.1, whichever the server chooses of what the client offers', async () => {
    const server = createSecureServer(
      { ...(await lab.certify(CAPTURED)), allowHTTP1: true },
      (ask, answer) =>
        answer.end(`${ask.httpVersion} ${ask.headers.host ?? ask.headers[':authority']}`),
    );
    await lab.listen(server);
    const session = connectHttp2(`https://${CAPTURED}`, {
      createConnection: () => lab.connect(CAPTURED, { ALPNProtocols: ['h2', 'http/1.1'] }),
    });
    const stream = session.request({ ':path': '/' }).setEncoding('utf8');
    expect(await once(stream, 'data')).toEqual([`2.0 ${CAPTURED}:443`]);
    session.destroy();

    const ask = request({
      host: CAPTURED,
      createConnection: () => lab.connect(CAPTURED, { ALPNProtocols: ['http/1.1'] }),
    }).end();
    const [answer] = await once(ask, 'response');
    expect(await once(answer.setEncoding('utf8'), 'data')).toEqual([`1.1 ${CAPTURED}:80`]);
    expect(lab.recorded.map(({ protocol }) => protocol)).toEqual(['h2', 'http/1.1']);
  });

  test('a client that speaks a protocol which is not understood passes through', async () => {
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

test('switching off during the handshake: nothing is copied', async () => {
  const server = createTlsServer(await lab.certify(CAPTURED), (socket) =>
    socket.on('data', (data) => socket.write(data.toString().toUpperCase())),
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const slow = createTcpServer({ pauseOnConnect: true });
  await lab.listen(slow);
  const reached = once(slow, 'connection') as Promise<[Socket]>;
  const socket = lab.connect(CAPTURED);
  const [held] = await reached;
  lab.config = { ...lab.config, capture_enabled: false };
  lab.interceptor.applyConfig();
  held.pipe(connectTcp(port, '127.0.0.1')).pipe(held);
  expect(await exchange(socket, 'hello')).toBe('HELLO');
  expect(lab.recorded).toEqual([]);
  socket.destroy();
  server.close();
});

test('switching off stops the copy of connections that are open, and they go on', async () => {
  await shoutingServer(CAPTURED);
  const socket = lab.connect(CAPTURED);
  await exchange(socket, 'hello');
  lab.config = { ...lab.config, capture_enabled: false, intercept_hosts: [] };
  lab.interceptor.applyConfig();
  expect(lab.recorded.map(({ stopped }) => stopped)).toEqual([true]);
  socket.write('more');
  expect(String((await once(socket, 'data'))[0])).toBe('MORE');
  socket.destroy();
});

test('closed, connections may end by themselves for a while, and are cut off then', async () => {
  await shoutingServer(CAPTURED);
  const brief = lab.connect(CAPTURED);
  await exchange(brief, 'hello');
  const endless = lab.connect(CAPTURED);
  await exchange(endless, 'hello');
  const closed = lab.interceptor.close();
  let heard = '';
  brief.on('data', (data) => (heard += String(data)));
  brief.end('more');
  await once(brief, 'close');
  expect(heard).toBe('MOREbye');
  await vi.waitFor(() => expect(lab.interceptor.openCount()).toBe(1));
  expect((await once(endless, 'error'))[0]).toMatchObject({ code: 'ECONNRESET' });
  await closed;
});
