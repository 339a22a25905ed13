import { isLocalAddress } from './ip-bytes.ts';

/** The target of a CONNECT request, or the response status if it gets no tunnel. */
export type ConnectRequest =
  | { state: 'accepted'; host: string; port: number; isName: boolean }
  | { state: 'refused'; status: 400 | 403; reason: string };

const authority = /^(\[[0-9a-f:.]+\]|[a-z0-9_-][a-z0-9._-]*):(\d{1,5})$/i;

/**
 * Names of loopback in RFC 6761 (section 6.3) and common hosts files. Other names may resolve to
 * loopback too, so callers check the address with `isLocalAddress` before connecting.
 */
const localName =
  /(^|\.)localhost$|^localhost[46]?(\.localdomain[46]?)?$|^ip6-(localhost|loopback)$/;

/**
 * Parses the target of a CONNECT request, in authority-form (RFC 9112, section 3.2.3). The host is
 * returned in canonical form: resolvers and the URL parser also accept `127.1` and `0x7f000001` as
 * addresses.
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
