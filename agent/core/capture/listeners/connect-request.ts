import { isLocalAddress } from './ip-bytes.ts';

/** What a CONNECT request asks for; the answer's status where it gets no tunnel. */
export type ConnectRequest =
  | { state: 'accepted'; host: string; port: number; isName: boolean }
  | { state: 'refused'; status: 400 | 403; reason: string };

const authority = /^(\[[0-9a-f:.]+\]|[a-z0-9_-][a-z0-9._-]*):(\d{1,5})$/i;

/**
 * The names that RFC 6761 (section 6.3) and the usual hosts files give to loopback. Other names may
 * lead there as well: the address is checked with `isLocalAddress` before connecting.
 */
const localName =
  /(^|\.)localhost$|^localhost[46]?(\.localdomain[46]?)?$|^ip6-(localhost|loopback)$/;

/**
 * Reads the target of a CONNECT request, authority-form (RFC 9112, section 3.2.3). The host comes
 * back in the one form that everybody reads alike: resolvers take `127.1` and `0x7f000001` for
 * addresses too, and so does the URL parser.
 */
export function readConnectRequest(target: string): ConnectRequest {
  const [, written = '', digits] = authority.exec(target) ?? [];
  const port = Number(digits);
  const url = written ? URL.parse(`https://${written}/`) : null;
  if (!url || !(port >= 1 && port <= 65_535))
    return { state: 'refused', status: 400, reason: 'the target must be host:port' };

  const host = url.hostname.replace(/^\[|\]$|\.$/g, '');
  const isName = !host.includes(':') && !/^[\d.]+$/.test(host);
  if (isName ? localName.test(host) : isLocalAddress(host))
    return { state: 'refused', status: 403, reason: 'not to this machine or its link' };

  return { state: 'accepted', host, port, isName };
}
