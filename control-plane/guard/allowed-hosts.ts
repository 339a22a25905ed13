import { checkInterceptHosts, isHostName, normalizeHost } from '#agent/core/host-catalog.ts';
import { ApiError, type ErrorCode } from '#contract/errors.ts';
import type { GuardConfig } from '#contract/guard.ts';

/** An error naming the hosts that capture cannot be enabled for; null if there are none. */
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
 * including banks; only hosts of the catalog can be captured.
 *
 * @throws ApiError of this code if capture cannot be enabled for a host, or a blocked host is not a
 *   host name
 */
export function withAllowedHosts(
  config: GuardConfig,
  code: ErrorCode = 'validation_error',
): GuardConfig {
  const { intercept_hosts, blocked_hosts } = config;
  return {
    ...config,
    ...(intercept_hosts && { intercept_hosts: catalogHosts(intercept_hosts, code) }),
    ...(blocked_hosts && { blocked_hosts: hostNames(blocked_hosts, code) }),
  };
}

function catalogHosts(names: string[], code: ErrorCode): string[] {
  const refusal = refusalOf(names);
  if (refusal)
    throw new ApiError(code, `intercept_hosts: ${refusal.message}`, { hosts: refusal.hosts });
  return checkInterceptHosts(names).hosts;
}

function hostNames(names: string[], code: ErrorCode): string[] {
  const hosts = names.filter((name) => !isHostName(name));
  if (hosts.length > 0)
    throw new ApiError(code, `blocked_hosts: not a host name: ${hosts.join(', ')}`, { hosts });
  return [...new Set(names.map(normalizeHost))].sort();
}
