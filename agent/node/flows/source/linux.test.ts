import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { FlowSource, SourceEvents } from './flow-source.ts';

const visitor = { update: () => true, add: () => undefined };

describe('ports of sockets that were closed between two polls', { tags: ['networks'] }, () => {
  let source: FlowSource;
  let closedPorts: number[];

  beforeEach(async () => {
    const { openLinuxSource } = await import('./linux.ts');
    closedPorts = [];
    // No connection is known before it closes, as for an agent that may not read packets.
    const onClosed: SourceEvents['onClosed'] = (end) => {
      closedPorts.push(end.socket().localPort);
      return false;
    };
    source = openLinuxSource({
      onConnecting: () => undefined,
      onClosed,
      catalogHostOf: () => undefined,
      now: Date.now,
    });
    await source.poll(visitor);
  });

  afterEach(() => source.close());

  test.each([
    ['IPv4', '127.0.0.1', ''],
    ['IPv6', '::1', ''],
    ['IPv4, with data', '127.0.0.1', 'hello'],
  ])('a reset client is not a server: %s', async (_, host, data) => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined).resume();
      socket.once('data', () => socket.write('seen'));
      if (data === '') socket.write('seen');
    });
    await once(server.listen(0, host), 'listening');
    const { port } = server.address() as AddressInfo;
    const client = connect(port, host);
    client.write(data);
    await once(client, 'data');
    const { localPort = 0 } = client;
    client.resetAndDestroy();
    server.close();
    await once(server, 'close');
    await expect.poll(() => closedPorts).toEqual(expect.arrayContaining([localPort, port]));
    const ports = [localPort, port];
    expect(ports.map((one) => source.isServerPort('tcp', one))).toEqual([false, true]);
  });
});
