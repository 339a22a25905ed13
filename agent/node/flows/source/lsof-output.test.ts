import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { userInfo } from 'node:os';
import { describe, expect, test } from 'vitest';
import { openDarwinSource } from './darwin.ts';
import { LSOF_FIELDS, readLsof } from './lsof-output.ts';
import { parseProgramPaths } from './program-paths.ts';
import type { SocketVisitor } from './flow-source.ts';

/** Fields as written on a Mac; two processes share the first socket. */
const FROM_MAC = `p501
cGoogle\\x20Chrome
Lann
f23
d0x3f2a
PTCP
n10.0.0.5:50123->104.18.32.47:443
TST=ESTABLISHED
f24
d0x3f2b
PTCP
n[fe80:1::1]:50124->[2606:4700::6812:202f]:443
TST=SYN_SENT
f25
d0x3f2c
PTCP
n*:8080
TST=LISTEN
f26
d0x3f2d
PUDP
n10.0.0.5:50125->104.18.32.47:443
f27
d0x3f2e
PUDP
n*:*
f28
d0x3f2f
PTCP
n10.0.0.5:50126->104.18.32.47:443
TST=CLOSED
p502
cHelper
Lann
f3
d0x3f2a
PTCP
n10.0.0.5:50123->104.18.32.47:443
TST=ESTABLISHED
`;

describe('readLsof', () => {
  test('reads each connection once, and the ports of servers', () => {
    const { connected, servers } = readLsof(FROM_MAC);
    const brief = connected.map(({ socket, isEstablished }) => {
      const { protocol, localPort, address, port, user, owner } = socket;
      return [protocol, localPort, address, port, user, owner?.pid, owner?.name, isEstablished];
    });
    const owner = ['ann', 501, 'Google Chrome'];
    expect(brief).toEqual([
      ['tcp', 50_123, '104.18.32.47', 443, ...owner, true],
      ['tcp', 50_124, '2606:4700::6812:202f', 443, ...owner, false],
      ['udp', 50_125, '104.18.32.47', 443, ...owner, true],
    ]);
    expect(new Set(connected.map(({ socket }) => socket.key)).size).toBe(3);
    expect(servers).toEqual([{ protocol: 'tcp', port: 8080 }]);
  });

  test('reads nothing from an empty output', () => {
    expect(readLsof('')).toEqual({ connected: [], servers: [] });
  });
});

test('parseProgramPaths keeps spaces, and ignores names without a path', () => {
  const output =
    '  501 /Applications/Google Chrome.app/Contents/MacOS/Google Chrome\n  2 kthreadd\n';
  expect([...parseProgramPaths(output)]).toEqual([
    [501, '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'],
  ]);
});

describe('with the lsof of this machine', { tags: ['lsof'] }, () => {
  test('finds a real connection and its server', async () => {
    await using pair = await connectedPair();
    const args = ['-nP', '-i', '-a', '-p', String(process.pid), `-F${LSOF_FIELDS}`];
    const { connected, servers } = readLsof(execFileSync('lsof', args, { encoding: 'utf8' }));
    const ours = connected.find(({ socket }) => socket.localPort === pair.localPort);
    expect(ours?.socket).toMatchObject({
      protocol: 'tcp',
      localAddress: '127.0.0.1',
      address: '127.0.0.1',
      port: pair.port,
      user: userInfo().username,
      owner: { pid: process.pid },
    });
    expect(servers).toContainEqual({ protocol: 'tcp', port: pair.port });
  });

  test('the source passes it to its visitor, first as new and then as known', async () => {
    await using pair = await connectedPair();
    const known = new Set<number | string>();
    const added: number[] = [];
    const visitor: SocketVisitor = {
      update: (key) => known.has(key),
      add: (socket) => void (known.add(socket.key), added.push(socket.localPort)),
    };
    const source = openDarwinSource({
      onConnecting: () => undefined,
      onClosed: () => false,
      catalogHostOf: () => undefined,
      now: Date.now,
    });
    expect(await source.poll(visitor)).toEqual({ complete: true });
    expect(await source.poll(visitor)).toEqual({ complete: true });
    expect(added.filter((port) => port === pair.localPort)).toHaveLength(1);
    expect(source.isServerPort('tcp', pair.port)).toBe(true);
  });
});

async function connectedPair() {
  const server = createServer((socket) => socket.on('error', () => undefined));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = connect(port, '127.0.0.1');
  await once(client, 'connect');
  return {
    port,
    localPort: client.localPort ?? 0,
    async [Symbol.asyncDispose]() {
      client.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
