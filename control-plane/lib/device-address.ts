/**
 * Returns the URL of the device listener for a tenant. A `*` in the configured URL gives each
 * tenant its own host name, by which the listener selects the tenant's root.
 */
export const deviceUrlOf = (deviceUrl: string, tenantId: string): string =>
  deviceUrl.replace('*', labelOf(tenantId));

/** Whether each tenant has its own host name. */
export const hasTenantHostNames = (deviceUrl: string): boolean => hostOf(deviceUrl).includes('*');

/** Returns the tenant of a host name; null if it has none. */
export function tenantOfHost(deviceUrl: string, host: string): string | null {
  const [before, after] = hostOf(deviceUrl).split('*');
  if (before === undefined || after === undefined) return null;
  const name = host.toLowerCase();
  const label = name.slice(before.length, name.length - after.length);
  return name === `${before}${label}${after}` ? label.replace('-', '_') : null;
}

/** Returns the host name or address, without brackets. */
export const hostOf = (url: string): string => new URL(url).hostname.replace(/^\[|\]$/g, '');

/**
 * Returns an id as part of a host name. Ids contain one underscore after their prefix, which host
 * names cannot contain.
 */
const labelOf = (tenantId: string): string => tenantId.replace('_', '-');
