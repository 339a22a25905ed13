import type { IncomingMessage } from 'node:http';
import { type BlockList, isIP } from 'node:net';

type AddressRequest = Pick<IncomingMessage, 'headers' | 'socket'>;

/**
 * Who asks: the other end of the connection or, where that is a proxy that we trust, whom it names
 * in `X-Forwarded-For`. Each proxy adds the address it was asked from at the end, so the list is
 * read from there, and only as far as the proxies are ours: what stands before could be anybody's
 * invention.
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

/** Whether the other end of a connection is a proxy that we trust. */
export const isTrustedPeer = (
  { remoteAddress = '' }: AddressRequest['socket'],
  trusted: BlockList,
) => isTrusted(plain(remoteAddress), trusted);

const isTrusted = (address: string, trusted: BlockList): boolean =>
  isIP(address) !== 0 && trusted.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** Without blanks, a port, brackets, a zone, or the form in which IPv6 writes an IPv4 address. */
function plain(text: string): string {
  const [bare = ''] = text.trim().split('%');
  const address = /^\[(.*)\](:\d+)?$/.exec(bare)?.[1] ?? /^([\d.]+):\d+$/.exec(bare)?.[1] ?? bare;
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
}
