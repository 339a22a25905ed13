import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer as createTlsServer, type TLSSocket } from 'node:tls';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { CAPTURED, type Lab, OTHER, startLab } from './testing/lab.ts';
import { exchange, issuerOf, serveUpperCase } from './testing/upper-case-server.ts';

let lab: Lab;
beforeEach(async () => {
  lab = await startLab();
});
afterEach(() => lab[Symbol.asyncDispose]());

describe("a client that rejects the device's certificate", () => {
  const strict = () => lab.connect(CAPTURED, { ca: lab.worldRoot.certificatePem });

  test('is passed through after its rejection, and the device reports it', async () => {
    await serveUpperCase(lab, CAPTURED);
    // Node closes without an alert, so a single failure does not count.
    for (let time = 0; time < 2; time++) await once(strict(), 'error');
    await vi.waitFor(() => expect(lab.notices).toHaveLength(1));
    const socket = strict();
    expect(await exchange(socket, 'hello')).toBe('HELLO');
    expect(lab.notices).toEqual([
      `curl does not accept this device's certificate for ${CAPTURED}: passed through, only metadata is seen`,
    ]);
    socket.destroy();
  });

  test('is passed through even if another process of the same program accepts the certificate', async () => {
    await serveUpperCase(lab, CAPTURED);
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

  test('does not affect other programs', async () => {
    await serveUpperCase(lab, CAPTURED);
    for (let time = 0; time < 2; time++) await once(strict(), 'error');
    await vi.waitFor(() => expect(lab.notices).toHaveLength(1));
    lab.client = { ...lab.client, process: 'node', path: '/usr/bin/node' };
    const socket = lab.connect(CAPTURED);
    await exchange(socket, 'hello');
    expect(issuerOf(socket)).toBe('dev_1 capture');
    socket.destroy();
  });
});

test.each([
  ['TLS_AES_256_GCM_SHA384', 'sends `close_notify`'],
  ['TLS_CHACHA20_POLY1305_SHA256', 'sends `close_notify`, with another cipher'],
])('openssl s_client over %s, which %s, does not count as rejecting it', async (cipher) => {
  await serveUpperCase(lab, CAPTURED);
  const address = `127.0.0.1:${lab.port}`;
  const options = ['-connect', address, '-servername', CAPTURED, '-ciphersuites', cipher];
  for (let time = 0; time < 4; time++) {
    const client = spawn('openssl', ['s_client', ...options], { stdio: 'ignore' });
    await once(client, 'exit');
    await vi.waitFor(() => expect(lab.interceptor.openCount()).toBe(0));
  }
  expect(lab.recorded).toHaveLength(4);
  expect(lab.interceptor.refusals()).toEqual([]);
});

describe("a client that accepts the device's certificate does not count as rejecting it", () => {
  const expectCaptured = async (): Promise<void> => {
    const socket = lab.connect(CAPTURED);
    await exchange(socket, 'hello');
    expect(issuerOf(socket)).toBe('dev_1 capture');
    expect(lab.notices).toEqual([]);
    socket.destroy();
  };

  test('when it closes connections that it opened in advance and did not need', async () => {
    await serveUpperCase(lab, CAPTURED);
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

  test('when the server closes', async () => {
    await lab.listen(createTlsServer(await lab.certify(CAPTURED), (socket) => socket.end()));
    for (let time = 0; time < 2; time++) {
      await once(lab.connect(CAPTURED).resume(), 'end');
      await vi.waitFor(() => expect(lab.interceptor.openCount()).toBe(0));
    }
    await serveUpperCase(lab, CAPTURED);
    await expectCaptured();
  });

  test('as soon as it sends data', async () => {
    await serveUpperCase(lab, CAPTURED);
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

describe('while the process of a client is searched for', () => {
  let found: PromiseWithResolvers<void>;
  beforeEach(async () => {
    found = Promise.withResolvers();
    lab.findClient = () => found.promise.then(() => lab.client);
    await serveUpperCase(lab, CAPTURED, OTHER);
  });
  afterEach(() => found.resolve());

  const expectPassed = async (socket: TLSSocket): Promise<void> => {
    expect(await exchange(socket, 'hello')).toBe('HELLO');
    expect(issuerOf(socket)).toBe('World');
    socket.destroy();
  };

  test.each([
    ['a host outside the catalog', { blocked_processes: ['cursor'] }, OTHER],
    [
      'a host that is not captured',
      { intercept_hosts: [], intercept_processes: ['curl'] },
      CAPTURED,
    ],
  ])('it reaches %s', async (_, change, host) => {
    lab.config = { ...lab.config, ...change };
    await expectPassed(lab.connect(host));
  });

  test('it reaches a captured host with a protocol that is not captured', () =>
    expectPassed(lab.connect(CAPTURED, { ALPNProtocols: ['imap'] })));

  test('it gets the alert for a blocked host, which is then reported with the process', async () => {
    lab.config = { ...lab.config, blocked_hosts: [OTHER] };
    const [error] = await once(lab.connect(OTHER), 'error');
    expect(error).toMatchObject({ code: 'ERR_SSL_TLSV1_ALERT_ACCESS_DENIED' });
    expect(lab.blocked).toEqual([]);
    found.resolve();
    await vi.waitFor(() => expect(lab.blocked).toEqual([`curl: ${OTHER} is blocked`]));
  });

  test('it waits for an AI host if processes are blocked', async () => {
    lab.config = { ...lab.config, blocked_processes: ['curl'] };
    const ended = once(lab.connect(CAPTURED), 'error');
    found.resolve();
    expect(await ended).toMatchObject([{ code: 'ERR_SSL_TLSV1_ALERT_ACCESS_DENIED' }]);
  });
});
