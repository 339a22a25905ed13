/**
 * The device listener's URL for a tenant. A `*` in the configured URL gives each tenant its own
 * host name, from which the listener selects the tenant's root.
 */
export const deviceUrlOf = (deviceUrl: string, tenantId: string): string =>
  deviceUrl.replace('*', labelOf(tenantId));

/** Does each tenant have its own host name? */
export const hasTenantHostNames = (deviceUrl: string): boolean => hostOf(deviceUrl).includes('*');

/** The tenant of a host name; null if it has none. */
export function tenantOfHost(deviceUrl: string, host: string): string | null {
  const [before, after] = hostOf(deviceUrl).split('*');
  if (before === undefined || after === undefined) return null;
  const name = host.toLowerCase();
  const label = name.slice(before.length, name.length - after.length);
  return name === `${before}${label}${after}` ? label.replace('-', '_') : null;
}

/** Host name or address, without brackets. */
export const hostOf = (url: string): string => new URL(url).hostname.replace(/^\[|\]$/g, '');

/** Ids contain one underscore, after their prefix; host names cannot. */
const labelOf = (tenantId: string): string => tenantId.replace('_', '-');
