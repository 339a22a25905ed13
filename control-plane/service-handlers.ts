import { createHash, timingSafeEqual } from 'node:crypto';
import { ApiError } from '#contract/errors.ts';
import type { serviceRoutes } from '#contract/service.ts';
import type { Handlers } from './handler.ts';
import { version } from './startup/version.ts';

export const serviceHandlers: Handlers<typeof serviceRoutes> = {
  healthz: () => ({ status: 'ok', version }),

  metrics({ config, metrics }, { header }) {
    const { metricsToken } = config;
    if (metricsToken === undefined)
      throw new ApiError('not_configured', 'metrics are disabled: set METRICS_TOKEN');
    if (!isSame(header('authorization'), `Bearer ${metricsToken}`))
      throw new ApiError('invalid_credentials', 'expected METRICS_TOKEN as the bearer token');
    return metrics.text();
  },

  async readyz({ storage, shutdown }) {
    if (shutdown.signal.aborted)
      throw new ApiError('shutting_down', 'draining: the process is shutting down');
    const { checks, searchLag } = storage;
    const [database, recording, migrations, search] = await Promise.all([
      checks.database(),
      checks.recording(),
      checks.migrations(),
      searchLag(),
    ]);
    const results = { database, recording, migrations };
    for (const [name, check] of Object.entries(results))
      if (check.status === 'failed')
        return { status: 'unavailable', error: `${name}: ${check.reason}`, checks: results };
    return { status: 'ok', checks: results, ...(search && { search }) };
  },
};

/** Compares texts in constant time. */
function isSame(actual: string | undefined, expected: string): boolean {
  const [a, b] = [actual ?? '', expected].map((text) => createHash('sha256').update(text).digest());
  return timingSafeEqual(a as Buffer, b as Buffer);
}
