import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';

/** The part of the draining time during which idle connections are kept. */
const IDLE_PART = 1 / 4;

/**
 * Makes a listener closable without losing a request. Once `signal` aborts, the listener accepts no
 * new connections, and every response has `Connection: close`, including those to requests that
 * still arrive on existing connections. The returned function resolves when all connections have
 * ended. It closes idle ones after a quarter of `ms`, and all others after `ms`.
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
  // The function is shared, because thousands of requests arrive per second.
  function answered(this: ServerResponse): void {
    const { socket } = this.req;
    if (answering.get(socket) === this) answering.delete(socket);
    onChange();
  }
  signal.addEventListener('abort', () => {
    for (const response of answering.values()) response.shouldKeepAlive = false;
    // Connections that the kernel has already accepted are taken before the socket stops listening.
    // The `close` of http would also destroy idle connections, on which a request may be on its
    // way.
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
    // This reads data that has already arrived.
    await turn();
    server.closeIdleConnections();
    await until(() => answering.size === 0, ms * (1 - IDLE_PART));
    for (const socket of connections) socket.destroy();
    await until(() => connections.size === 0, 1000);
    // This ends the timer with which http detects slow requests.
    server.close();
  };
}
