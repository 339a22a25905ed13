import type { WebSocket } from 'ws';

const PING_MS = 20_000;

/**
 * Sends pings so that proxies keep the connection, and terminates it when the peer no longer
 * answers.
 */
export function startPings(socket: WebSocket): void {
  let alive = true;
  socket.on('pong', () => {
    alive = true;
  });
  const timer = setInterval(() => {
    if (!alive) return socket.terminate();
    alive = false;
    socket.ping();
  }, PING_MS);
  socket.on('close', () => clearInterval(timer));
  socket.on('error', () => socket.terminate());
}
