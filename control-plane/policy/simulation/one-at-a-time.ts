import { ApiError } from '#contract/errors.ts';

const RETRY_AFTER_SECONDS = 5;

/** Does work for a tenant unless it is at some already: a simulation takes a processor for seconds. */
export function oneAtATime() {
  const busy = new Set<string>();
  return async <T>(tenantId: string, work: () => Promise<T>): Promise<T> => {
    if (busy.has(tenantId))
      throw new ApiError('rate_limited', 'another simulation is still running: wait for its end', {
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
