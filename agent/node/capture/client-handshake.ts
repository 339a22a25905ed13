import type { Socket } from 'node:net';
import { type SecureContext, TLSSocket } from 'node:tls';
import type { HandshakeEnd } from '#agent/core/capture/distrust.ts';
import { errnoOf } from '../atomic-file.ts';
import { resetSocket } from './relay.ts';

export interface ClientHandshakeOptions {
  secureContext: SecureContext;
  /** The protocol that the server chose from the client's list; null: none. */
  protocol: string | null;
  timeoutMs?: number;
}

/** TLS with a client, as its server: the paused stream, or how the client ended the handshake. */
export function acceptClient(
  socket: Socket,
  { secureContext, protocol, timeoutMs = 30_000 }: ClientHandshakeOptions,
): Promise<{ stream: TLSSocket } | { refused: HandshakeEnd }> {
  return new Promise((resolve) => {
    const stream = new TLSSocket(socket, {
      isServer: true,
      secureContext,
      ...(protocol && { ALPNProtocols: [protocol] }),
    });
    let settled = false;
    const settle = (result: { stream: TLSSocket } | { refused: HandshakeEnd }): void => {
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      stream.pause();
      if ('refused' in result) resetSocket(socket);
      resolve(result);
    };
    const closed = (): void => settle({ refused: 'closed' });
    const timer = setTimeout(closed, timeoutMs);
    stream.once('secure', () => settle({ stream }));
    stream.on('error', (error) =>
      settle({ refused: errnoOf(error)?.includes('ALERT') ? 'alert' : 'closed' }),
    );
    stream.once('end', closed).once('close', closed);
    // The end of a stream is only reported while reading. No data arrives before the handshake ends.
    stream.resume();
  });
}
