import { crc32c, FIXED_LENGTH, signature, tlvType, type ProxyHeader } from '../proxy-protocol.ts';
import { ipBytes } from '../ip-bytes.ts';

export interface Encoding {
  /** Adds the CRC32c of the header. */
  withChecksum?: boolean;
  /** TLVs of unknown types, placed before the others. */
  others?: readonly Tlv[];
}

export interface Tlv {
  type: number;
  value: Uint8Array;
}

/** Encodes a header. Both endpoints must be of one family; without endpoints it is unspecified. */
export function encodeProxyHeader(header: ProxyHeader, encoding: Encoding = {}): Uint8Array {
  const { source, destination } = header;
  const addresses = [source, destination].flatMap((end) => [
    ...((end && ipBytes(end.address)) ?? []),
  ]);
  const ports = [source, destination].flatMap((end) => (end ? pair(end.port) : []));
  const tlvs = [...(encoding.others ?? []), ...tlvsOf(header, encoding)];
  const body = [...addresses, ...ports, ...tlvs.flatMap(encodeTlv)];
  const family = { 8: 0x11, 32: 0x21 }[addresses.length] ?? 0;
  const command = header.command === 'proxy' ? 0x21 : 0x20;
  const bytes = Uint8Array.from([...signature, command, family, ...pair(body.length), ...body]);
  if (encoding.withChecksum) fillChecksum(bytes);
  return bytes;
}

function tlvsOf(header: ProxyHeader, { withChecksum }: Encoding): Tlv[] {
  const encoder = new TextEncoder();
  const text = (type: number, value: string | null): Tlv[] =>
    value === null ? [] : [{ type, value: encoder.encode(value) }];
  return [
    ...text(tlvType.authority, header.authority),
    ...(header.pid === null ? [] : [{ type: tlvType.pid, value: quad(header.pid) }]),
    ...text(tlvType.executable, header.executable),
    ...text(tlvType.user, header.user),
    ...text(tlvType.signingId, header.signingId),
    // Placed last, where its position is known.
    ...(withChecksum ? [{ type: tlvType.checksum, value: new Uint8Array(4) }] : []),
  ];
}

function fillChecksum(bytes: Uint8Array): void {
  if (bytes.length >= FIXED_LENGTH + 4) bytes.set(quad(crc32c(bytes)), bytes.length - 4);
}

const encodeTlv = ({ type, value }: Tlv): number[] => [type, ...pair(value.length), ...value];
const pair = (value: number): number[] => [(value >> 8) & 0xff, value & 0xff];
const quad = (value: number): Uint8Array =>
  Uint8Array.of(value >>> 24, (value >>> 16) & 0xff, (value >>> 8) & 0xff, value & 0xff);
