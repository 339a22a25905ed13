import { isIP } from 'node:net';

const hostName = /^(?=.{1,253}$)(?!-)[a-z0-9-]{1,63}(?<!-)(\.(?!-)[a-z0-9-]{1,63}(?<!-))*$/i;

/** A DNS name without wildcard and without a dot at either end; not an IP address. */
export const isHostName = (name: string): boolean => hostName.test(name) && isIP(name) === 0;

/** What a server certificate may be for: a DNS name, with `*.` in front or not, or an address. */
export function serverName(name: string): { type: 'dns' | 'ip'; value: string } | null {
  if (isIP(name) !== 0) return { type: 'ip', value: name };
  return isHostName(name.replace(/^\*\./, '')) ? { type: 'dns', value: name } : null;
}
