import { once } from 'node:events';
import {
  type AddressInfo,
  connect as connectTcp,
  createServer as createTcpServer,
  type Socket,
} from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { CAPTURED, type Lab, OTHER, startLab } from './testing/lab.ts';
import { exchange, issuerOf, serveUpperCase } from './testing/upper-case-server.ts';

let lab: Lab;
beforeEach(async () => {
  lab = await startLab();
});
afterEach(() => lab[Symbol.asyncDispose]());

describe('terminated connections', () => {
  test('are those to a captured host, with a certificate of the device, and their bytes are observed', async () => {
    await serveUpperCase(lab, CAPTURED);
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
  ])('do not include %s: it keeps the certificate of its server', async (_, set) => {
    await serveUpperCase(lab, CAPTURED, OTHER);
    const socket = lab.connect(set());
    expect(await exchange(socket, 'hello')).toBe('HELLO');
    expect(issuerOf(socket)).toBe('World');
    expect(lab.recorded).toEqual([]);
    socket.destroy();
  });

  test('include those of a listed process', async () => {
    lab.config = { ...lab.config, intercept_processes: ['curl'] };
    await serveUpperCase(lab, CAPTURED);
    const socket = lab.connect(CAPTURED);
    await exchange(socket, 'hello');
    expect(issuerOf(socket)).toBe('dev_1 capture');
    socket.destroy();
  });

  test('do not include other protocols, which pass through even when the server sends first', async () => {
    await lab.listen(createTcpServer((socket) => socket.end('220 ready')));
    const socket = connectTcp(lab.port, '127.0.0.1').setEncoding('utf8');
    socket.write('EHLO');
    expect(await once(socket, 'data')).toEqual(['220 ready']);
  });
});

test.each([CAPTURED, OTHER])(
  'a name that resolves to this machine is not connected to: %s',
  async (name) => {
    await serveUpperCase(lab, CAPTURED, OTHER);
    lab.routeTo('localhost', await lab.listen(createTcpServer((socket) => socket.end('local'))));
    const [error] = await once(lab.connect(name), 'error');
    expect(error).toMatchObject({ code: 'ECONNRESET' });
  },
);

describe('blocked is', () => {
  test.each([
    ['a host', { blocked_hosts: [OTHER] }, OTHER],
    ['a captured host', { blocked_hosts: [CAPTURED] }, CAPTURED],
    ['a process, for AI hosts', { blocked_processes: ['/usr/bin/curl'] }, CAPTURED],
  ])('%s: the client gets "access denied"', async (_, change, host) => {
    await serveUpperCase(lab, CAPTURED, OTHER);
    lab.config = { ...lab.config, ...change };
    const [error] = await once(lab.connect(host), 'error');
    expect(error).toMatchObject({ code: 'ERR_SSL_TLSV1_ALERT_ACCESS_DENIED' });
    expect(lab.blocked[0]).toMatch(/^curl: .*(blocked|may not reach AI hosts)$/);
    // A block that works is not a problem of the device.
    expect(lab.notices).toEqual([]);
  });

  test('a connection without a server name, if its address belongs to blocked hosts only', async () => {
    await serveUpperCase(lab, CAPTURED, OTHER);
    lab.config = { ...lab.config, blocked_hosts: [OTHER] };
    lab.setHostsOfAddress([OTHER]);
    const [error] = await once(lab.connect(''), 'error');
    expect(error).toMatchObject({ code: 'ERR_SSL_TLSV1_ALERT_ACCESS_DENIED' });
    lab.setHostsOfAddress([OTHER, CAPTURED]);
    const socket = lab.connect('', { checkServerIdentity: () => undefined });
    expect(await exchange(socket, 'hello')).toBe('HELLO');
    socket.destroy();
  });

  test('a connection without a server name, if the proxy was asked for a blocked host', async () => {
    await serveUpperCase(lab, CAPTURED, OTHER);
    lab.config = { ...lab.config, blocked_hosts: [OTHER] };
    lab.setNameOfDestination(OTHER);
    const [error] = await once(lab.connect(''), 'error');
    expect(error).toMatchObject({ code: 'ERR_SSL_TLSV1_ALERT_ACCESS_DENIED' });
    lab.config = { ...lab.config, blocked_hosts: [], blocked_processes: ['curl'] };
    lab.setNameOfDestination(CAPTURED);
    const [second] = await once(lab.connect(''), 'error');
    expect(second).toMatchObject({ code: 'ERR_SSL_TLSV1_ALERT_ACCESS_DENIED' });
  });

  test('a client that does not close its side is soon disconnected', async () => {
    await serveUpperCase(lab, CAPTURED);
    lab.config = { ...lab.config, blocked_hosts: [CAPTURED] };
    const tcp = connectTcp({ host: '127.0.0.1', port: lab.port, allowHalfOpen: true });
    const socket = lab.connect(CAPTURED, { socket: tcp, allowHalfOpen: true });
    await once(socket, 'error');
    await vi.waitFor(() => expect(lab.interceptor.openCount()).toBe(0));
    tcp.destroy();
  });

  test('only the AI hosts of a blocked process, which reaches other hosts', async () => {
    await serveUpperCase(lab, CAPTURED, OTHER);
    lab.config = { ...lab.config, blocked_processes: ['curl'] };
    const socket = lab.connect(OTHER);
    expect(await exchange(socket, 'hello')).toBe('HELLO');
    socket.destroy();
  });
});

test('nothing is copied if capture is switched off during the handshake', async () => {
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

test('switching capture off stops copying on open connections, which continue', async () => {
  await serveUpperCase(lab, CAPTURED);
  const socket = lab.connect(CAPTURED);
  await exchange(socket, 'hello');
  lab.config = { ...lab.config, capture_enabled: false, intercept_hosts: [] };
  lab.interceptor.applyConfig();
  expect(lab.recorded.map(({ stopped }) => stopped)).toEqual([true]);
  socket.write('more');
  expect(String((await once(socket, 'data'))[0])).toBe('MORE');
  socket.destroy();
});

test('after closing, connections have some time to end by themselves and are then cut off', async () => {
  await serveUpperCase(lab, CAPTURED);
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
