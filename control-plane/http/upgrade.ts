import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WebSocket, WebSocketServer } from 'ws';
import { ApiError } from '#contract/errors.ts';
import type { HttpContext } from './http-context.ts';
import { endWithRefusal } from './reject-socket.ts';

interface UpgradeHandler<Caller> {
  authenticate(request: IncomingMessage): Promise<Caller>;
  /** @throws ApiError `rate_limited` if the caller has too many open connections */
  limit?(caller: Caller): void;
  open(socket: WebSocket, caller: Caller, request: IncomingMessage): void;
}

/** Accepts WebSockets of authenticated callers on one path. */
export function acceptUpgrades<Caller>(
  server: Pick<Server, 'on'>,
  sockets: WebSocketServer,
  path: string,
  shutdown: HttpContext['shutdown'],
  handler: UpgradeHandler<Caller>,
): void {
  server.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    stream.on('error', () => stream.destroy());
    // The input is anonymous, so a malformed URL must not crash the process.
    const requested = URL.parse(request.url ?? '/', 'http://any')?.pathname ?? '';
    if (requested.replace(/\/?$/, '/') !== path)
      return refuse(
        stream,
        requested,
        new ApiError('not_found', `there is no WebSocket at ${requested}`),
      );
    const opening = handler.authenticate(request).then((caller) => {
      if (shutdown.signal.aborted)
        throw new ApiError('shutting_down', 'the service is shutting down');
      handler.limit?.(caller);
      sockets.handleUpgrade(request, stream, head, (socket) =>
        handler.open(socket, caller, request),
      );
    });
    shutdown.follow(opening.catch((error: unknown) => refuse(stream, requested, error)));
  });
}

function refuse(stream: Duplex, path: string, error: unknown): void {
  const refusal =
    error instanceof ApiError ? error : new ApiError('internal_error', 'internal error');
  endWithRefusal(stream, path, refusal);
}
