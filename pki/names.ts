import { isIP } from 'node:net';

const hostName = /^(?=.{1,253}$)(?!-)[a-z0-9-]{1,63}(?<!-)(\.(?!-)[a-z0-9-]{1,63}(?<!-))*$/i;

/** A DNS name without wildcard and without a dot at either end; not an IP address. */
export const isHostName = (name: string): boolean => hostName.test(name) && isIP(name) === 0;

/** Parses a server name: a DNS name, optionally with a leading `*.`, or an IP address. */
export function serverName(name: string): { type: 'dns' | 'ip'; value: string } | null {
  if (isIP(name) !== 0) return { type: 'ip', value: name };
  return isHostName(name.replace(/^\*\./, '')) ? { type: 'dns', value: name } : null;
}
