import type { IncomingMessage } from 'node:http';
import { type BlockList, isIP } from 'node:net';

type AddressRequest = Pick<IncomingMessage, 'headers' | 'socket'>;

/**
 * Returns the client's address. This is the peer, or if that is a trusted proxy, an address in
 * `X-Forwarded-For`. Each proxy appends the address of its peer, and clients can forge earlier
 * entries, so the list is read from its end, and only across trusted proxies.
 */
export function clientAddress({ socket, headers }: AddressRequest, trusted: BlockList): string {
  const forwarded = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',');
  let address = plain(socket.remoteAddress ?? '');
  while (isTrusted(address, trusted)) {
    const named = plain(forwarded.pop() ?? '');
    if (isIP(named) === 0) return address;
    address = named;
  }
  return address;
}

/** Whether the peer of the connection is a trusted proxy. */
export const isTrustedPeer = (
  { remoteAddress = '' }: AddressRequest['socket'],
  trusted: BlockList,
) => isTrusted(plain(remoteAddress), trusted);

const isTrusted = (address: string, trusted: BlockList): boolean =>
  isIP(address) !== 0 && trusted.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** Removes whitespace, port, brackets, zone, and the IPv4-mapped form of IPv6. */
function plain(text: string): string {
  const [bare = ''] = text.trim().split('%');
  const address = /^\[(.*)\](:\d+)?$/.exec(bare)?.[1] ?? /^([\d.]+):\d+$/.exec(bare)?.[1] ?? bare;
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
}
