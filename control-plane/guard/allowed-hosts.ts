import type { ErrorReason } from '#contract/error-reasons.ts';
import { ApiError } from '#contract/errors.ts';
import type { GuardConfig } from '#contract/guard.ts';
import { checkInterceptHosts, isHostName, normalizeHost } from '#domain/hosts/host-catalog.ts';

/**
 * Returns an error that names the hosts for which capture cannot be enabled; null if there are
 * none.
 */
function refusalOf(names: readonly string[]): Refusal | null {
  const { unknown, refused } = checkInterceptHosts(names);
  if (refused.length > 0)
    return { message: `capture is never allowed for ${refused.join(', ')}`, hosts: refused };
  if (unknown.length > 0)
    return { message: `not in the catalog of AI hosts: ${unknown.join(', ')}`, hosts: unknown };
  return null;
}

interface Refusal {
  message: string;
  hosts: string[];
}

/**
 * Normalizes, sorts and deduplicates the hosts of a configuration. Any host name may be blocked,
 * including those of banks, but only hosts of the catalog can be captured.
 *
 * @throws ApiError with the given reason if capture cannot be enabled for a host, or a blocked host
 * is not a host name
 */
export function withAllowedHosts(
  config: GuardConfig,
  reason: ErrorReason = 'validation_error',
): GuardConfig {
  const { intercept_hosts, blocked_hosts, host_overrides } = config;
  return {
    ...config,
    ...(intercept_hosts && { intercept_hosts: catalogHosts(intercept_hosts, reason) }),
    ...(blocked_hosts && { blocked_hosts: hostNames(blocked_hosts, reason) }),
    ...(host_overrides && { host_overrides: overridesOf(host_overrides, reason) }),
  };
}

/**
 * Returns the overrides of hosts. A host that is only switched off need not be in the catalog any
 * longer.
 */
function overridesOf(
  overrides: Record<string, boolean>,
  reason: ErrorReason,
): Record<string, boolean> {
  const on = Object.keys(overrides).filter((host) => overrides[host]);
  catalogHosts(on, reason, 'host_overrides');
  const normal = Object.entries(overrides).map(([host, on]) => [normalizeHost(host), on] as const);
  return Object.fromEntries(normal.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function catalogHosts(
  names: string[],
  reason: ErrorReason,
  field: keyof GuardConfig = 'intercept_hosts',
): string[] {
  const refusal = refusalOf(names);
  if (refusal) throw new ApiError(reason, `${field}: ${refusal.message}`, { hosts: refusal.hosts });
  return checkInterceptHosts(names).hosts;
}

function hostNames(names: string[], reason: ErrorReason): string[] {
  const hosts = names.filter((name) => !isHostName(name));
  if (hosts.length > 0)
    throw new ApiError(reason, `blocked_hosts: not a host name: ${hosts.join(', ')}`, { hosts });
  return [...new Set(names.map(normalizeHost))].sort();
}
