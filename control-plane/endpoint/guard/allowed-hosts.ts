import { checkInterceptHosts } from '#agent/core/host-catalog.ts';
import { ApiError, type ErrorCode } from '#contract/errors.ts';
import type { GuardConfig } from '#contract/guard.ts';

/** What capture is never switched on for, in one line that names it; null when there is none. */
export function refusalOfHosts({ intercept_hosts = [] }: GuardConfig): Refusal | null {
  const { unknown, refused } = checkInterceptHosts(intercept_hosts);
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
 * The configuration with its hosts as the catalog writes them: lower case, sorted, each once.
 *
 * @throws ApiError of this code, when a host is none that capture can be switched on for
 */
export function withCatalogHosts(
  config: GuardConfig,
  code: ErrorCode = 'validation_error',
): GuardConfig {
  if (!config.intercept_hosts) return config;
  const refusal = refusalOfHosts(config);
  if (refusal)
    throw new ApiError(code, `intercept_hosts: ${refusal.line}`, { hosts: refusal.hosts });
  return { ...config, intercept_hosts: checkInterceptHosts(config.intercept_hosts).hosts };
}
