import { X509Certificate } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { BlockList, Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { ApiError } from '#contract/errors.ts';
import { isTrustedPeer } from './client-address.ts';

/** A request or upgrade request. For an idle connection, it consists of the connection only. */
export type CertificateRequest = Pick<IncomingMessage, 'headers' | 'socket'>;

/** The certificate for whose key the client proved possession. */
export interface PresentedCertificate {
  /** The SHA-256 hash, as `AB:CD:…`. */
  fingerprint: string;
  /** In milliseconds since 1970. */
  expiry: number;
  /**
   * False if TLS could not verify its chain. It is always true behind a proxy, which does not know
   * our roots; then the fingerprint in the database decides.
   */
  chained: boolean;
}

/**
 * Returns the client's certificate. It comes from the TLS handshake with us, or if that has none
 * and the peer is a trusted proxy, from the proxy's `Client-Cert` header (RFC 9440). The header is
 * ignored from all other peers.
 *
 * @throws ApiError `unauthorized` if there is none, or the header is invalid
 */
export function certificateOf(
  request: CertificateRequest,
  proxies: BlockList,
): PresentedCertificate {
  const presented = byConnection(request.socket) ?? byProxy(request, proxies);
  if (presented) return presented;
  throw new ApiError('missing_credentials', 'a device certificate is required: enroll first');
}

// Certificates are cached per connection, because parsing one costs more than the rest of a small
// request. A direct connection has one certificate, while that of a proxy carries one per device
// behind it.
const ofConnections = new WeakMap<TLSSocket, PresentedCertificate>();

function byConnection(socket: Socket): PresentedCertificate | undefined {
  if (!(socket instanceof TLSSocket)) return undefined;
  const cached = ofConnections.get(socket);
  if (cached) return cached;
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
): PresentedCertificate | undefined {
  const header = headers['client-cert'];
  if (header === undefined || !isTrustedPeer(socket, proxies)) return undefined;
  const certificate = readByteSequence(String(header));
  if (!certificate)
    throw new ApiError(
      'invalid_credentials',
      'Client-Cert: expected one certificate as :base64 of DER: (RFC 9440)',
    );
  const { fingerprint256, validToDate } = certificate;
  return { fingerprint: fingerprint256, expiry: validToDate.getTime(), chained: true };
}

/** Parses a byte sequence (RFC 8941) that contains exactly one certificate. */
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
