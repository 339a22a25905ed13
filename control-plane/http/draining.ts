import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';

/** Part of the draining time during which idle connections are kept. */
const IDLE_PART = 1 / 4;

/**
 * Closes a listener without losing a request. Once `signal` aborts, it accepts no new connections,
 * and every response says `Connection: close`, including responses to requests that still arrive on
 * kept connections. The returned function resolves when every connection has ended: idle ones are
 * closed after a quarter of `ms`, all others after `ms`.
 */
export function drainable(server: Server, signal: AbortSignal): (ms: number) => Promise<void> {
  const connections = new Set<Socket>();
  /** The last response in progress on each connection. */
  const answering = new Map<Socket, ServerResponse>();
  let onChange = (): void => undefined;

  server.on('connection', (socket: Socket) => {
    connections.add(socket);
    socket.on('close', () => {
      connections.delete(socket);
      onChange();
    });
  });
  server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    if (signal.aborted) response.shouldKeepAlive = false;
    answering.set(socket, response);
    response.on('close', answered);
  });
  // One shared function, because thousands of requests arrive per second.
  function answered(this: ServerResponse): void {
    const { socket } = this.req;
    if (answering.get(socket) === this) answering.delete(socket);
    onChange();
  }
  signal.addEventListener('abort', () => {
    for (const response of answering.values()) response.shouldKeepAlive = false;
    // Connections that the kernel has already accepted are taken before it stops listening. http's
    // own `close` would also destroy idle connections, whose next request may be on its way.
    setImmediate(() => NetServer.prototype.close.call(server));
  });

  const until = (isDone: () => boolean, ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      onChange = () => {
        if (!isDone()) return;
        clearTimeout(timer);
        resolve();
      };
      onChange();
    });
  return async (ms) => {
    await until(() => connections.size === 0, ms * IDLE_PART);
    // Reads data that has already arrived.
    await turn();
    server.closeIdleConnections();
    await until(() => answering.size === 0, ms * (1 - IDLE_PART));
    for (const socket of connections) socket.destroy();
    await until(() => connections.size === 0, 1000);
    // Ends the timer that http uses to detect slow requests.
    server.close();
  };
}
