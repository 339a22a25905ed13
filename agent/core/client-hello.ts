/** The result of searching for a server name at the start of a TCP stream. */
export type ServerName =
  | { state: 'named'; name: string }
  /** A complete ClientHello without a name: a connection by address. */
  | { state: 'unnamed' }
  /** A ClientHello whose part with the name has not been received yet. */
  | { state: 'incomplete' }
  | { state: 'not-tls' };

const HANDSHAKE_RECORD = 0x16;
const CLIENT_HELLO = 0x01;
const SERVER_NAME_EXTENSION = 0;
const SIGNATURES_EXTENSION = 13;
const PROTOCOLS_EXTENSION = 16;
const VERSIONS_EXTENSION = 43;
const TLS13 = 0x0304;
const ECDSA_P256 = 0x0403; // ecdsa_secp256r1_sha256
/** Cipher suites of TLS 1.2 with ECDSA certificates, forward secrecy and AEAD (RFC 5289, 7905). */
const ecdsaSuites = new Set([0xc02b, 0xc02c, 0xcca9]);
const HOST_NAME_TYPE = 0;
const MAX_HELLO_BYTES = 65_536;

/**
 * Returns the server name (SNI, RFC 6066) of a ClientHello at the start of `stream`. The hello may
 * span several TLS records, and `stream` may end anywhere in it: the name is found as soon as its
 * bytes were received.
 */
export function readServerName(stream: Uint8Array): ServerName {
  return readFrom(stream, (handshake) => {
    for (const { type, body } of extensionsOf(handshake)) {
      if (type !== SERVER_NAME_EXTENSION) continue;
      const name = nameIn(body);
      return name === null ? { state: 'unnamed' } : { state: 'named', name };
    }
    return { state: 'unnamed' };
  });
}

export interface ClientHello {
  /** The server name; with Encrypted ClientHello the outer one. */
  name: string | null;
  /** The protocols that the client offers by ALPN (RFC 7301), in order of preference. */
  protocols: string[];
  /** Whether the client can verify a server with a P-256 key. */
  verifiesP256: boolean;
}

export type ClientHelloRead =
  | { state: 'whole'; hello: ClientHello }
  | { state: 'incomplete' | 'not-tls' };

/** Parses the ClientHello at the start of `stream`, once it is complete. */
export function readClientHello(stream: Uint8Array): ClientHelloRead {
  return readFrom(stream, (handshake) => {
    const hello: ClientHello = { name: null, protocols: [], verifiesP256: false };
    let versions: number[] = [];
    let signatures: number[] = [];
    for (const { type, body } of extensionsOf(handshake)) {
      if (type === SERVER_NAME_EXTENSION) hello.name = nameIn(body);
      if (type === PROTOCOLS_EXTENSION) hello.protocols = protocolsIn(body);
      if (type === SIGNATURES_EXTENSION) signatures = pairsIn(body.subarray(2));
      if (type === VERSIONS_EXTENSION) versions = pairsIn(body.subarray(1));
    }
    const hasSuite = () => suitesOf(handshake).some((suite) => ecdsaSuites.has(suite));
    hello.verifiesP256 =
      signatures.includes(ECDSA_P256) && (versions.includes(TLS13) || hasSuite());
    return { state: 'whole', hello };
  });
}

function readFrom<T>(
  stream: Uint8Array,
  read: (handshake: Uint8Array) => T,
): T | { state: 'incomplete' | 'not-tls' } {
  const handshake = joinRecords(stream);
  if (!handshake) return { state: 'not-tls' };
  try {
    return read(handshake);
  } catch (error) {
    if (error === endOfBytes) return { state: 'incomplete' };
    if (error === notTls) return { state: 'not-tls' };
    throw error;
  }
}

/** The joined bodies of the leading handshake records; undefined if there are none. */
function joinRecords(stream: Uint8Array): Uint8Array | undefined {
  const bodies: Uint8Array[] = [];
  for (let at = 0; at < stream.length;) {
    if (stream[at] !== HANDSHAKE_RECORD || (stream[at + 1] ?? 3) !== 3) break;
    const length = ((stream[at + 3] ?? 0) << 8) | (stream[at + 4] ?? 0);
    bodies.push(stream.subarray(at + 5, at + 5 + length));
    at += 5 + length;
  }
  if (bodies.length === 0) return undefined;
  const only = bodies[0];
  return bodies.length === 1 && only ? only : concatenate(bodies);
}

function concatenate(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function suitesOf(handshake: Uint8Array): number[] {
  const cursor = createCursor(handshake);
  cursor.skip(4 + 2 + 32); // type and length, legacy_version, random
  cursor.skip(cursor.number(1)); // legacy_session_id
  return pairsIn(cursor.take(cursor.number(2)));
}

/** Reads a list of two-byte numbers. */
const pairsIn = (list: Uint8Array): number[] =>
  Array.from({ length: list.length >> 1 }, (_, i) => pairAt(list, i * 2));

const pairAt = (list: Uint8Array, at: number): number =>
  ((list[at] ?? 0) << 8) | (list[at + 1] ?? 0);

/** Yields the complete extensions of a ClientHello; no extensions for other messages. */
function* extensionsOf(handshake: Uint8Array): Generator<{ type: number; body: Uint8Array }> {
  const cursor = createCursor(handshake);
  if (cursor.number(1) !== CLIENT_HELLO) throw notTls;
  const end = cursor.at() + cursor.number(3) + 3;
  if (end > MAX_HELLO_BYTES) throw notTls;
  cursor.skip(2 + 32); // legacy_version, random
  cursor.skip(cursor.number(1)); // legacy_session_id
  cursor.skip(cursor.number(2)); // cipher_suites
  cursor.skip(cursor.number(1)); // legacy_compression_methods
  if (cursor.at() >= end) return;
  const extensionsEnd = Math.min(end, cursor.at() + cursor.number(2) + 2);
  while (cursor.at() < extensionsEnd)
    yield { type: cursor.number(2), body: cursor.take(cursor.number(2)) };
}

function nameIn(serverNames: Uint8Array): string | null {
  const cursor = createCursor(serverNames);
  cursor.skip(2); // length of server_name_list (RFC 6066, 3)
  while (cursor.at() < serverNames.length) {
    const type = cursor.number(1);
    const bytes = cursor.take(cursor.number(2));
    if (type === HOST_NAME_TYPE) return hostNameOf(bytes) ?? null;
  }
  return null;
}

function protocolsIn(list: Uint8Array): string[] {
  const cursor = createCursor(list);
  const protocols: string[] = [];
  cursor.skip(2);
  while (cursor.at() < list.length)
    protocols.push(String.fromCharCode(...cursor.take(cursor.number(1))));

  return protocols;
}

function hostNameOf(bytes: Uint8Array): string | undefined {
  // A trailing dot is not allowed (RFC 6066, 3), but servers ignore it.
  const name = String.fromCharCode(...bytes.subarray(0, 256))
    .toLowerCase()
    .replace(/\.$/, '');
  return /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/.test(name) && name.length <= 253 ? name : undefined;
}

const endOfBytes = Symbol('end of bytes');
const notTls = Symbol('not TLS');

interface Cursor {
  at: () => number;
  number: (size: 1 | 2 | 3) => number;
  skip: (count: number) => void;
  take: (count: number) => Uint8Array;
}

function createCursor(bytes: Uint8Array): Cursor {
  let at = 0;
  const advance = (count: number) => {
    if (at + count > bytes.length) throw endOfBytes;
    at += count;
    return at - count;
  };
  return {
    at: () => at,
    number(size) {
      const start = advance(size);
      let value = 0;
      for (let i = 0; i < size; i++) value = (value << 8) | (bytes[start + i] ?? 0);
      return value;
    },
    skip: (count) => void advance(count),
    take(count) {
      const start = advance(count);
      return bytes.subarray(start, start + count);
    },
  };
}
