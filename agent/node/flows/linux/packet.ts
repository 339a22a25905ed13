import { addressFamily } from './sock-diag-message.ts';
import type { Protocol, SocketEndpoints } from './sock-diag-message.ts';

/** A packet from the network header on, with its endpoints from the sender's view. */
export interface Packet {
  protocol: Protocol;
  endpoints: SocketEndpoints;
  isConnecting: boolean;
  payload: Uint8Array;
}

/** Parses an IPv4 or IPv6 packet with TCP or UDP; undefined for others and for truncated ones. */
export function readPacket(bytes: Uint8Array): Packet | undefined {
  const version = (bytes[0] ?? 0) >> 4;
  if (version === 4) {
    const header = ((bytes[0] ?? 0) & 0xf) * 4;
    const end = Math.min(bytes.length, readUint16(bytes, 2) || bytes.length);
    return readTransport(bytes, { version, header, protocol: bytes[9], end });
  }
  const end = Math.min(bytes.length, 40 + readUint16(bytes, 4) || bytes.length);
  return version === 6
    ? readTransport(bytes, { version, header: 40, protocol: bytes[6], end })
    : undefined;
}

interface Network {
  version: 4 | 6;
  header: number;
  protocol: number | undefined;
  end: number;
}

function readTransport(bytes: Uint8Array, network: Network): Packet | undefined {
  const at = network.header;
  if (network.protocol === 17 && bytes.length >= at + 8) {
    const payload = bytes.subarray(at + 8, network.end);
    return {
      protocol: 'udp',
      endpoints: endpointsOf(bytes, network),
      isConnecting: false,
      payload,
    };
  }
  if (network.protocol !== 6 || bytes.length < at + 20) return undefined;
  const header = ((bytes[at + 12] ?? 0) >> 4) * 4;
  const isConnecting = ((bytes[at + 13] ?? 0) & 0x12) === 0x02;
  const payload = bytes.subarray(at + header, network.end);
  return { protocol: 'tcp', endpoints: endpointsOf(bytes, network), isConnecting, payload };
}

function endpointsOf(bytes: Uint8Array, { version, header }: Network): SocketEndpoints {
  const isV4 = version === 4;
  const [local, remote, size] = isV4 ? [12, 16, 4] : [8, 24, 16];
  return {
    family: isV4 ? addressFamily.v4 : addressFamily.v6,
    local: bytes.slice(local, local + size),
    localPort: readUint16(bytes, header),
    remote: bytes.slice(remote, remote + size),
    port: readUint16(bytes, header + 2),
  };
}

function readUint16(bytes: Uint8Array, at: number): number {
  return ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
}
