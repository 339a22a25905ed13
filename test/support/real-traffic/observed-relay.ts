import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, expect } from 'vitest';
import type { Headers, ObservedExchange } from '#agent/core/capture/wire/exchange.ts';
import type { Transmission } from '#agent/core/capture/wire/testing/conversation.ts';
import { record, type Recorder, textOf } from '#agent/core/capture/wire/testing/recorder.ts';

export type Alpn = 'h2' | 'http/1.1';

export interface Relayed extends Recorder {
  alpn: Alpn;
  passed: Transmission[];
}

export interface Relay {
  port: number;
  /** Waits until all connections have ended; returns what was observed. */
  over: () => Promise<Relayed[]>;
}

/** Sets up a relay that observes the traffic of real clients and servers. */
export function setUpRelay() {
  const cleanUps: (() => unknown)[] = [];
  afterEach(async () => {
    for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
  });

  async function listen(server: Server): Promise<number> {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    cleanUps.push(() => new Promise((resolve) => server.close(resolve)));
    return (server.address() as AddressInfo).port;
  }

  /** The recorded conversations, for tests that modify them. */
  const recorded: Relayed[] = [];

  /**
   * Starts a relay between clients and the server at this port that passes all bytes to an
   * observer.
   */
  async function startRelay(alpn: Alpn, serverPort: number): Promise<Relay> {
    const connections: Relayed[] = [];
    const ends: Promise<unknown>[] = [];
    const sockets: Socket[] = [];
    const port = await listen(
      createServer((client) => {
        const relayed: Relayed = { ...record(alpn), alpn, passed: [] };
        const server = connect(serverPort, '127.0.0.1');
        connections.push(relayed);
        sockets.push(client, server);
        ends.push(once(client, 'close'), once(server, 'close'));
        pass(client, server, (bytes) => {
          relayed.passed.push({ from: 'client', bytes: Uint8Array.from(bytes) });
          relayed.observer.fromClient(bytes);
        });
        pass(server, client, (bytes) => {
          relayed.passed.push({ from: 'server', bytes: Uint8Array.from(bytes) });
          relayed.observer.fromServer(bytes);
        });
        client.once('close', relayed.observer.clientEnded);
        server.once('close', relayed.observer.serverEnded);
      }),
    );
    cleanUps.push(() => sockets.forEach((socket) => socket.destroy()));
    return {
      port,
      async over() {
        await Promise.all(ends);
        return connections;
      },
    };
  }

  async function allOf(relay: Relay): Promise<Relayed[]> {
    const connections = await relay.over();
    for (const connection of connections) {
      expect(connection.givenUp).toEqual([]);
      expect(connection.excluded).toEqual([]);
      recorded.push(connection);
    }
    return connections;
  }

  async function only(relay: Relay): Promise<Relayed> {
    const [connection, ...others] = await allOf(relay);
    if (!connection || others.length > 0) throw new Error('expected one connection');
    return connection;
  }

  return { recorded, listen, startRelay, allOf, only };
}

function pass(from: Socket, to: Socket, see: (bytes: Uint8Array) => void): void {
  from.setNoDelay(true);
  from.on('error', () => to.destroy());
  from.on('data', (bytes: Uint8Array) => {
    see(bytes);
    if (to.writable) to.write(bytes);
  });
  from.on('end', () => to.end());
}

export function bodyOf(body: ObservedExchange['response']): string {
  return (body?.beginning ?? []).map(textOf).join('');
}

export function valueOf(headers: Headers | undefined, name: string): string | undefined {
  return headers?.find((header) => header[0] === name)?.[1];
}
