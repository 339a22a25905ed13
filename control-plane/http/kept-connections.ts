import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { ConnectionSettings } from '../config.ts';

const SAY_AGAIN_MS = 60_000;

/**
 * Keeps idle connections longer than those who use them do: the side that closes first must be the
 * one that sends, or a request is lost that crosses with the end of its connection.
 */
export function keepConnections(
  server: Server,
  { keepAliveSeconds, max }: ConnectionSettings,
  onProblem: (line: string) => void,
): void {
  server.keepAliveTimeout = keepAliveSeconds * 1000;
  server.maxConnections = max;
  let said = -Infinity;
  server.on('drop', () => {
    if (performance.now() - said < SAY_AGAIN_MS) return;
    said = performance.now();
    onProblem(`connections are refused: ${max} are open already (MAX_CONNECTIONS)`);
  });
  // After the process stood still, timers run before the sockets are read. A connection on which a
  // request has arrived meanwhile is not idle.
  server.on('timeout', (socket: Socket) => {
    const { bytesRead } = socket;
    setImmediate(() => {
      if (socket.bytesRead === bytesRead) socket.destroy();
    });
  });
}
