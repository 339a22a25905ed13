import type { Socket } from 'node:net';
import { type SecureContext, TLSSocket } from 'node:tls';
import type { HandshakeEnd } from '#agent/core/capture/distrust.ts';
import { errnoOf } from '../state/atomic-file.ts';
import { type RelayTap, resetSocket } from './relay.ts';

/** A client that has received our certificate. */
export interface AcceptedClient {
  /** Paused. */
  stream: TLSSocket;
  /** Whether the client has sent nothing but an orderly end since its ClientHello. */
  hasOnlyClosed: () => boolean;
}

export interface ClientHandshakeOptions {
  secureContext: SecureContext;
  /** The protocol that the server chose from the client's list; null if it chose none. */
  protocol: string | null;
  timeoutMs?: number;
}

/**
 * Performs a TLS handshake as the server. Returns the paused stream, or how the client ended the
 * handshake.
 */
export function acceptClient(
  socket: Socket,
  { secureContext, protocol, timeoutMs = 30_000 }: ClientHandshakeOptions,
): Promise<AcceptedClient | { refused: HandshakeEnd }> {
  return new Promise((resolve) => {
    const helloBytes = socket.bytesRead;
    const stream = new TLSSocket(socket, {
      isServer: true,
      secureContext,
      ...(protocol && { ALPNProtocols: [protocol] }),
    });
    let settled = false;
    const settle = (result: AcceptedClient | { refused: HandshakeEnd }): void => {
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      stream.pause();
      if ('refused' in result) resetSocket(socket);
      resolve(result);
    };
    const closed = (): void => settle({ refused: 'closed' });
    const timer = setTimeout(closed, timeoutMs);
    const hasOnlyClosed = (): boolean => isOrderlyClose(stream, socket.bytesRead - helloBytes);
    stream.once('secure', () => settle({ stream, hasOnlyClosed }));
    stream.on('error', (error) =>
      settle({ refused: errnoOf(error)?.includes('ALERT') ? 'alert' : 'closed' }),
    );
    stream.once('end', closed).once('close', closed);
    // The end of a stream is only reported while reading. No data arrives before the handshake ends.
    stream.resume();
  });
}

/** The header, content type and authentication tag of an encrypted record (RFC 8446, 5.2). */
const RECORD_OVERHEAD_BYTES = 5 + 1 + 16;
const CHANGE_CIPHER_SPEC_BYTES = 6;

/**
 * Whether the bytes after a ClientHello of TLS 1.3 are exactly the end of the handshake and the
 * alert `close_notify`. Node does not report this alert, but the sizes of these records are fixed.
 */
function isOrderlyClose(stream: TLSSocket, bytes: number): boolean {
  if (stream.getProtocol() !== 'TLSv1.3') return false;
  const hashBytes = stream.getCipher().standardName.endsWith('SHA384') ? 48 : 32;
  const finished = 4 + hashBytes + RECORD_OVERHEAD_BYTES;
  const closeNotify = 2 + RECORD_OVERHEAD_BYTES;
  const rest = bytes - finished - closeNotify;
  return rest === 0 || rest === CHANGE_CIPHER_SPEC_BYTES;
}

/** Reports whether a client accepts our certificate, which the handshake may not reveal. */
export interface CertificateAcceptance {
  accepted: () => void;
  refused: () => void;
}

/**
 * The longest time that a client takes to verify a certificate. Browsers close connections that
 * they opened in advance and did not need only after ten seconds or more.
 */
const MAX_VERIFICATION_MS = 5_000;

/**
 * Reports whether the client accepts our certificate. Node verifies after the handshake, and on
 * failure closes at once, without an alert and before its first byte. A client that sends data has
 * accepted the certificate.
 */
export function withAcceptance(
  tap: RelayTap,
  acceptance: CertificateAcceptance,
  now: () => number,
): RelayTap {
  const since = now();
  let isUndecided = true;
  return {
    ...tap,
    fromClient: (chunk) => {
      if (isUndecided) acceptance.accepted();
      isUndecided = false;
      tap.fromClient(chunk);
    },
    clientEnded: () => {
      if (isUndecided && now() - since < MAX_VERIFICATION_MS) acceptance.refused();
      isUndecided = false;
      tap.clientEnded();
    },
    serverEnded: () => {
      isUndecided = false;
      tap.serverEnded();
    },
  };
}
