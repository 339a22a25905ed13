import { checkInterceptHosts, isHostName, normalizeHost } from '#agent/core/host-catalog.ts';
import { ApiError, type ErrorCode } from '#contract/errors.ts';
import type { GuardConfig } from '#contract/guard.ts';

/** What capture is never switched on for, in one line that names it; null when there is none. */
function refusalOf(names: readonly string[]): Refusal | null {
  const { unknown, refused } = checkInterceptHosts(names);
  if (refused.length > 0)
    return { line: `capture is never allowed for ${refused.join(', ')}`, hosts: refused };
  if (unknown.length > 0)
    return { line: `not in the catalog of AI hosts: ${unknown.join(', ')}`, hosts: unknown };
  return null;
}

interface Refusal {
  line: string;
  hosts: string[];
}

/**
 * The configuration with its hosts normalised, sorted, each once. Whatever has a name may be blocked,
 * banks too; captured is only what the catalog has.
 *
 * @throws ApiError of this code, when a host is none that capture can be switched on for, or none
 * that has a name
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
    throw new ApiError(code, `intercept_hosts: ${refusal.line}`, { hosts: refusal.hosts });
  return checkInterceptHosts(names).hosts;
}

function hostNames(names: string[], code: ErrorCode): string[] {
  const hosts = names.filter((name) => !isHostName(name));
  if (hosts.length > 0)
    throw new ApiError(code, `blocked_hosts: not a host name: ${hosts.join(', ')}`, { hosts });
  return [...new Set(names.map(normalizeHost))].sort();
}
