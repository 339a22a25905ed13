import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WebSocket, WebSocketServer } from 'ws';
import { ApiError } from '#contract/errors.ts';
import type { Shutdown } from '../startup/shutdown.ts';
import { endWithRefusal } from './reject-socket.ts';

interface UpgradeHandler<Caller> {
  authenticate(request: IncomingMessage): Promise<Caller>;
  /** @throws ApiError `rate_limited` for a caller that has too many open already */
  limit?(caller: Caller): void;
  open(socket: WebSocket, caller: Caller, request: IncomingMessage): void;
}

/** Opens WebSockets on one path, for callers that authenticate. */
export function acceptUpgrades<Caller>(
  server: Pick<Server, 'on'>,
  sockets: WebSocketServer,
  path: string,
  shutdown: Shutdown,
  door: UpgradeHandler<Caller>,
): void {
  server.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    stream.on('error', () => stream.destroy());
    // Whatever a stranger sends as an address must end here, not the process.
    const asked = URL.parse(request.url ?? '/', 'http://any')?.pathname ?? '';
    if (asked.replace(/\/?$/, '/') !== path)
      return refuse(stream, asked, new ApiError('not_found', `there is no WebSocket at ${asked}`));
    const opening = door.authenticate(request).then((caller) => {
      if (shutdown.signal.aborted) throw new ApiError('unavailable', 'the service stops');
      door.limit?.(caller);
      sockets.handleUpgrade(request, stream, head, (socket) => door.open(socket, caller, request));
    });
    shutdown.follow(opening.catch((error: unknown) => refuse(stream, asked, error)));
  });
}

function refuse(stream: Duplex, path: string, error: unknown): void {
  const refusal =
    error instanceof ApiError ? error : new ApiError('internal_error', 'internal error');
  endWithRefusal(stream, path, refusal);
}
