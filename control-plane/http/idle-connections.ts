import type { Server } from 'node:http';
import type { Socket } from 'node:net';

const LOG_INTERVAL_MS = 60_000;

/**
 * Keeps idle connections open longer than clients do, so that the client closes first. If the
 * server did, a request that is already on its way would be lost.
 */
export function keepConnectionsAlive(
  server: Server,
  { keepAliveSeconds, max }: { keepAliveSeconds: number; max: number },
  onProblem: (message: string) => void,
): void {
  server.keepAliveTimeout = keepAliveSeconds * 1000;
  server.maxConnections = max;
  let loggedAt = -Infinity;
  server.on('drop', () => {
    if (performance.now() - loggedAt < LOG_INTERVAL_MS) return;
    loggedAt = performance.now();
    onProblem(`connections are refused: ${max} are open already (MAX_CONNECTIONS)`);
  });
  // After the process was suspended, timers run before sockets are read. A connection on which a
  // request has arrived in the meantime is not idle.
  server.on('timeout', (socket: Socket) => {
    const { bytesRead } = socket;
    setImmediate(() => {
      if (socket.bytesRead === bytesRead) socket.destroy();
    });
  });
}
