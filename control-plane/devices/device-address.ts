/**
 * Where the devices of a tenant find the device listener. With `*` in the address each tenant has a
 * host name of its own, by which the listener knows whose root it is to prove itself with.
 */
export const deviceUrlOf = (deviceUrl: string, tenantId: string): string =>
  deviceUrl.replace('*', labelOf(tenantId));

/** Has each tenant a host name of its own? */
export const hasNameForEach = (deviceUrl: string): boolean => hostOf(deviceUrl).includes('*');

/** The tenant that a host name stands for; null when it stands for none. */
export function tenantOfHost(deviceUrl: string, host: string): string | null {
  const [before, after] = hostOf(deviceUrl).split('*');
  if (before === undefined || after === undefined) return null;
  const name = host.toLowerCase();
  const label = name.slice(before.length, name.length - after.length);
  return name === `${before}${label}${after}` ? label.replace('-', '_') : null;
}

/** Host name or address, without brackets. */
export const hostOf = (url: string): string => new URL(url).hostname.replace(/^\[|\]$/g, '');

/** Ids hold one underscore, after their prefix; host names none. */
const labelOf = (tenantId: string): string => tenantId.replace('_', '-');
