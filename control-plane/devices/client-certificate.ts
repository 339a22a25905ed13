import { X509Certificate } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { BlockList, Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { ApiError } from '#contract/errors.ts';
import { isTrustedPeer } from '../http/client-address.ts';

/** A request, or the one that opened a line; of a connection that only waits, the connection. */
export type CertificateRequest = Pick<IncomingMessage, 'headers' | 'socket'>;

/** The certificate whose key the client was shown to have. */
export interface Presented {
  /** SHA-256 as `AB:CD:…`. */
  fingerprint: string;
  /** Milliseconds since 1970. */
  expiry: number;
  /** Whether TLS found its chain good; a proxy cannot know our roots, the database knows them. */
  chained: boolean;
}

/**
 * What the client proved itself with: in the TLS handshake with us or, where that brought nothing
 * and the other end is a proxy that we trust, in its handshake with the proxy, which says so in
 * `Client-Cert` (RFC 9440). Anybody else may write that header, and it is not read.
 *
 * @throws ApiError `unauthorized` without one, or when what the proxy says is none
 */
export function presentedBy(asked: CertificateRequest, proxies: BlockList): Presented {
  const presented = byConnection(asked.socket) ?? byProxy(asked, proxies);
  if (presented) return presented;
  throw new ApiError('unauthorized', 'a device certificate is required: enroll first');
}

// Taking a certificate apart costs more than all else that a small request needs, and a connection
// has one for as long as it lasts. One of a proxy has as many as there are devices behind it.
const ofConnections = new WeakMap<TLSSocket, Presented>();

function byConnection(socket: Socket): Presented | undefined {
  if (!(socket instanceof TLSSocket)) return undefined;
  const known = ofConnections.get(socket);
  if (known) return known;
  const { fingerprint256, valid_to } = socket.getPeerCertificate();
  if (!fingerprint256) return undefined;
  const presented = {
    fingerprint: fingerprint256,
    expiry: Date.parse(valid_to),
    chained: socket.authorized,
  };
  ofConnections.set(socket, presented);
  return presented;
}

function byProxy(
  { headers, socket }: CertificateRequest,
  proxies: BlockList,
): Presented | undefined {
  const header = headers['client-cert'];
  if (header === undefined || !isTrustedPeer(socket, proxies)) return undefined;
  const certificate = readByteSequence(String(header));
  if (!certificate)
    throw new ApiError(
      'unauthorized',
      'Client-Cert: expected one certificate as :base64 of DER: (RFC 9440)',
    );
  const { fingerprint256, validToDate } = certificate;
  return { fingerprint: fingerprint256, expiry: validToDate.getTime(), chained: true };
}

/** A byte sequence of RFC 8941 that holds one certificate and nothing after it. */
function readByteSequence(header: string): X509Certificate | undefined {
  const base64 = /^:([A-Za-z0-9+/]+={0,2}):$/.exec(header.trim())?.[1];
  if (base64 === undefined) return undefined;
  const der = Buffer.from(base64, 'base64');
  try {
    const certificate = new X509Certificate(der);
    return certificate.raw.equals(der) ? certificate : undefined;
  } catch {
    return undefined;
  }
}
