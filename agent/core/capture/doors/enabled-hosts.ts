import { normalizeHost } from '#agent/core/host-catalog.ts';

/** The hosts that a door diverts, as `isEnabledHost` looks them up. */
export const enabledHosts = (hosts: readonly string[]): ReadonlySet<string> =>
  new Set(hosts.map(normalizeHost));

/**
 * A name means that host alone, `*.example.com` every host exactly one label below. ProxyMonitor on
 * macOS decides the same, by vectors that its tests share.
 */
export function isEnabledHost(enabled: ReadonlySet<string>, name: string): boolean {
  const host = normalizeHost(name);
  return (
    enabled.has(host) || (host.includes('.') && enabled.has(`*${host.slice(host.indexOf('.'))}`))
  );
}
