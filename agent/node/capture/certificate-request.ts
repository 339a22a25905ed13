import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';

const RECORD_HEADER = 5;
const MESSAGE_HEADER = 4;
const AUTHENTICATION_TAG = 16;
/**
 * Size of the ChangeCipherSpec record, which TLS 1.3 sends for middleboxes. After a
 * HelloRetryRequest it is sent earlier, before the server's keys are available.
 */
const CHANGE_CIPHER_SPEC = RECORD_HEADER + 1;
const VERIFY_DATA_TLS_1_2 = 12;
const EXPLICIT_NONCE = 8;
/** Size in bytes of a TLS 1.2 key share, by Node's name of the curve. */
const pointBytesByCurve: Readonly<Record<string, number>> = {
  X25519: 32,
  X448: 56,
  prime256v1: 65,
  secp384r1: 97,
  secp521r1: 133,
};

/**
 * Detects whether a server requests a client certificate, which Node does not expose. A client
 * without a certificate answers such a request with an empty Certificate message, which makes its
 * second flight longer; the other messages of that flight have known sizes (RFC 8446, 4.4.4; RFC
 * 5246, 7.4.9). Call this before the handshake, and the returned function one turn after it: TLS
 * 1.3 writes the flight only then.
 */
export function watchCertificateRequest(stream: TLSSocket, socket: Socket): () => boolean {
  let helloBytes = Infinity;
  // Keys exist once the server's hello was received, before the client writes its response.
  stream.once('keylog', () => (helloBytes = socket.bytesWritten));
  return () => socket.bytesWritten - helloBytes > maxFlightBytes(stream);
}

/**
 * Returns the size of the second flight without a certificate request; infinite if it is unknown.
 */
function maxFlightBytes(stream: TLSSocket): number {
  const { standardName } = stream.getCipher();
  if (stream.getProtocol() === 'TLSv1.3') {
    const hash = standardName.endsWith('SHA384') ? 48 : 32;
    return CHANGE_CIPHER_SPEC + RECORD_HEADER + MESSAGE_HEADER + hash + 1 + AUTHENTICATION_TAG;
  }
  const key = stream.getEphemeralKeyInfo();
  const curve = key && 'name' in key ? key.name : undefined;
  const pointBytes = pointBytesByCurve[curve ?? ''] ?? Infinity;
  const nonce = standardName.includes('_GCM_') ? EXPLICIT_NONCE : 0;
  const isKnown = nonce > 0 || standardName.includes('CHACHA20');
  if (!isKnown) return Infinity;
  const keyExchange = RECORD_HEADER + MESSAGE_HEADER + 1 + pointBytes;
  const finished =
    RECORD_HEADER + nonce + MESSAGE_HEADER + VERIFY_DATA_TLS_1_2 + AUTHENTICATION_TAG;
  return keyExchange + CHANGE_CIPHER_SPEC + finished;
}
