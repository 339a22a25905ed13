import { ipText } from '../../ip-address.ts';

/** The Castagnoli polynomial, bits reversed (RFC 3720, appendix B.4). */
const POLYNOMIAL = 0x82f63b78;

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ POLYNOMIAL : value >>> 1;
  return value;
});

export function crc32c(bytes: Uint8Array): number {
  let value = 0xffffffff;
  for (const byte of bytes) value = (value >>> 8) ^ (table[(value ^ byte) & 0xff] ?? 0);
  return (value ^ 0xffffffff) >>> 0;
}

/**
 * A header of the PROXY protocol, version 2 (haproxy.org, proxy-protocol.txt), which the macOS
 * extension sends before the bytes of a flow. Null: not in the header.
 */
export interface ProxyHeader {
  /** LOCAL: the sender connects for itself, for example for a health check. */
  command: 'proxy' | 'local';
  source: { address: string; port: number } | null;
  destination: { address: string; port: number } | null;
  /** The host name that the client requested. */
  authority: string | null;
  pid: number | null;
  /** Path of the executable. */
  executable: string | null;
  user: string | null;
  /** The identifier in the executable's code signature. */
  signingId: string | null;
}

/**
 * `length`: the header is longer than the limit. `addresses`: the address block is shorter than the
 * family requires. `tlv`: a TLV exceeds the header. `family`: neither TCP over IPv4 or IPv6, nor
 * unspecified.
 */
export type ProxyHeaderError =
  | 'signature'
  | 'version'
  | 'command'
  | 'family'
  | 'length'
  | 'addresses'
  | 'tlv'
  | 'checksum'
  | 'pid';

export type ProxyHeaderResult =
  | { state: 'incomplete' }
  | { state: 'malformed'; error: ProxyHeaderError }
  /** `length` is the size of the header; the bytes after it are the client's. */
  | { state: 'complete'; header: ProxyHeader; length: number };

export const signature = Uint8Array.of(13, 10, 13, 10, 0, 13, 10, 0x51, 0x55, 0x49, 0x54, 10);
export const FIXED_LENGTH = 16;
export const MAX_HEADER_BYTES = 4096;
export const tlvType = {
  authority: 0x02,
  checksum: 0x03,
  pid: 0xe0,
  executable: 0xe1,
  user: 0xe2,
  signingId: 0xe3,
} as const;

const textFields = new Map<unknown, 'authority' | 'executable' | 'user' | 'signingId'>([
  [tlvType.authority, 'authority'],
  [tlvType.executable, 'executable'],
  [tlvType.user, 'user'],
  [tlvType.signingId, 'signingId'],
]);

/**
 * Address lengths in bytes for each family and transport byte: TCP over IPv4, TCP over IPv6,
 * unspecified.
 */
const addressLength: Record<number, 4 | 16 | 0> = { 0x11: 4, 0x21: 16, 0x00: 0 };

/** Parses a header at the start of `bytes`, which may be incomplete or have data after it. */
export function readProxyHeader(bytes: Uint8Array): ProxyHeaderResult {
  const error = checkFixedPart(bytes);
  if (error) return { state: 'malformed', error };
  if (bytes.length < FIXED_LENGTH) return { state: 'incomplete' };
  const length = FIXED_LENGTH + number(bytes, 14, 2);
  if (length > MAX_HEADER_BYTES) return { state: 'malformed', error: 'length' };
  if (bytes.length < length) return { state: 'incomplete' };
  const header = emptyHeader();
  if (bytes[12] === 0x20) return { state: 'complete', header, length };
  const outcome = readAddresses(bytes.subarray(0, length), { ...header, command: 'proxy' });
  return 'error' in outcome
    ? { state: 'malformed', error: outcome.error }
    : { state: 'complete', header: outcome.header, length };
}

type Outcome = { header: ProxyHeader } | { error: ProxyHeaderError };

/** Checks as many of the first 14 bytes as are available. */
function checkFixedPart(bytes: Uint8Array): ProxyHeaderError | undefined {
  const there = bytes.subarray(0, signature.length);
  if (there.some((byte, i) => byte !== signature[i])) return 'signature';
  const [version, family] = bytes.subarray(signature.length);
  if (version === undefined) return undefined;
  if (version >> 4 !== 2) return 'version';
  if ((version & 15) > 1) return 'command';
  // A LOCAL connection is the sender's own, so its addresses are ignored.
  const isForeign = family !== undefined && !(family in addressLength) && version === 0x21;
  return isForeign ? 'family' : undefined;
}

function readAddresses(bytes: Uint8Array, header: ProxyHeader): Outcome {
  const size = addressLength[bytes[13] ?? 0];
  // The layout after an unspecified family is undefined, so the rest is skipped.
  if (!size) return { header };
  const tlvs = FIXED_LENGTH + 2 * size + 4;
  if (bytes.length < tlvs) return { error: 'addresses' };
  const end = (which: 0 | 1) => ({
    address: ipText(bytes, FIXED_LENGTH + which * size, size),
    port: number(bytes, FIXED_LENGTH + 2 * size + 2 * which, 2),
  });
  return readTlvs(bytes, tlvs, { ...header, source: end(0), destination: end(1) });
}

function readTlvs(bytes: Uint8Array, start: number, header: ProxyHeader): Outcome {
  for (let at = start; at < bytes.length;) {
    if (at + 3 > bytes.length) return { error: 'tlv' };
    const next = at + 3 + number(bytes, at + 1, 2);
    if (next > bytes.length) return { error: 'tlv' };
    const error = applyTlv(bytes, at, next, header);
    if (error) return { error };
    at = next;
  }
  return { header };
}

function applyTlv(
  bytes: Uint8Array,
  at: number,
  next: number,
  header: ProxyHeader,
): ProxyHeaderError | undefined {
  const type = bytes[at];
  const value = bytes.subarray(at + 3, next);
  const field = textFields.get(type);
  if (field) header[field] = text(value);
  if (type === tlvType.checksum)
    return value.length === 4 && hasChecksum(bytes, at + 3) ? undefined : 'checksum';

  if (type === tlvType.pid) {
    if (value.length !== 4) return 'pid';
    header.pid = number(value, 0, 4);
  }
  return undefined;
}

/** Computed over the whole header with zeros in place of the checksum. */
function hasChecksum(bytes: Uint8Array, at: number): boolean {
  const zeroed = Uint8Array.from(bytes);
  zeroed.fill(0, at, at + 4);
  return crc32c(zeroed) === number(bytes, at, 4);
}

/** Replaces invalid UTF-8: a path may contain any bytes, and must not make a flow fail. */
function text(bytes: Uint8Array): string | null {
  return bytes.length === 0 ? null : new TextDecoder().decode(bytes);
}

function number(bytes: Uint8Array, at: number, size: 2 | 4): number {
  let value = 0;
  for (let i = 0; i < size; i++) value = value * 256 + (bytes[at + i] ?? 0);
  return value;
}

function emptyHeader(): ProxyHeader {
  return {
    command: 'local',
    source: null,
    destination: null,
    authority: null,
    pid: null,
    executable: null,
    user: null,
    signingId: null,
  };
}
