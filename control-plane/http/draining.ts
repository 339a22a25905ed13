import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';

/** Idle connections are kept for this part of the time that draining may take. */
const IDLE_PART = 1 / 4;

/**
 * Closes a listener without losing a request. From the abort of `signal` on it accepts nothing new,
 * and each answer says `Connection: close`, also the one of a request that arrives meanwhile on a
 * kept connection. The answered function resolves when every connection has ended: those that stay
 * idle are closed after a quarter of `ms`, whatever is left after all of it.
 */
export function drainable(server: Server, signal: AbortSignal): (ms: number) => Promise<void> {
  const connections = new Set<Socket>();
  /** The last response of each connection that has one under way. */
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
  // One function for all: thousands of requests come in a second.
  function answered(this: ServerResponse): void {
    const { socket } = this.req;
    if (answering.get(socket) === this) answering.delete(socket);
    onChange();
  }
  signal.addEventListener('abort', () => {
    for (const response of answering.values()) response.shouldKeepAlive = false;
    // Connections that the kernel has accepted for us are taken before it is told to refuse others.
    // http's own `close` would also destroy idle connections, whose next request may be on its way.
    setImmediate(() => NetServer.prototype.close.call(server));
  });

  const until = (done: () => boolean, ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      onChange = () => {
        if (!done()) return;
        clearTimeout(timer);
        resolve();
      };
      onChange();
    });
  return async (ms) => {
    await until(() => connections.size === 0, ms * IDLE_PART);
    // What has arrived by now is read first.
    await turn();
    server.closeIdleConnections();
    await until(() => answering.size === 0, ms * (1 - IDLE_PART));
    for (const socket of connections) socket.destroy();
    await until(() => connections.size === 0, 1000);
    // Ends the timer by which http looks for slow requests.
    server.close();
  };
}
