import { ApiError } from '#contract/errors.ts';

const RETRY_AFTER_SECONDS = 5;

/** Allows one call at a time per tenant: a simulation occupies a processor for seconds. */
export function oneAtATime() {
  const busy = new Set<string>();
  return async <T>(tenantId: string, work: () => Promise<T>): Promise<T> => {
    if (busy.has(tenantId))
      throw new ApiError('rate_limited', 'another simulation is running: retry later', {
        retry_after: RETRY_AFTER_SECONDS,
      });
    busy.add(tenantId);
    try {
      return await work();
    } finally {
      busy.delete(tenantId);
    }
  };
}
