import type { Socket } from 'node:net';
import { load } from 'koffi';
import { ipText } from '#agent/core/ip-address.ts';
import { descriptorOf } from '../../socket-descriptor.ts';
import type { RedirectedSocket } from './capture-listener.ts';

const getSocketOption = load(null).func(
  'int getsockopt(int, int, int, _Out_ uint8_t *, _Inout_ uint32_t *)',
);

/** The option level, and the layout of the result: sockaddr_in or sockaddr_in6. */
const layouts = {
  4: { level: 0, size: 16, at: 4, length: 4 },
  6: { level: 41, size: 28, at: 8, length: 16 },
} as const;
/** SO_ORIGINAL_DST and IP6T_SO_ORIGINAL_DST, from linux/netfilter_ipv4.h and …/ip6_tables.h. */
const ORIGINAL_DESTINATION_OPTION = 80;

/**
 * Returns the original destination of an accepted socket, from the kernel's connection tracking;
 * the socket's own address if it was not redirected, undefined if the kernel does not know it.
 */
export function readOriginalDestination(
  fd: number,
  version: 4 | 6,
): { host: string; port: number } | undefined {
  const { level, size, at, length } = layouts[version];
  const bytes = new Uint8Array(size);
  if (getSocketOption(fd, level, ORIGINAL_DESTINATION_OPTION, bytes, [size]) !== 0)
    return undefined;
  const port = ((bytes[2] ?? 0) << 8) | (bytes[3] ?? 0);
  return { host: ipText(bytes, at, length), port };
}

/** The client's socket of an accepted connection; undefined if the kernel does not know it. */
export function redirectedSocketOf(socket: Socket): RedirectedSocket | undefined {
  const { remoteAddress: localAddress, remotePort: localPort } = socket;
  const version = socket.localFamily === 'IPv6' ? 6 : 4;
  const server = readOriginalDestination(descriptorOf(socket), version);
  if (!server || !localAddress || !localPort) return undefined;
  return { localAddress, localPort, address: server.host, port: server.port };
}
