import { ApiError } from '#contract/errors.ts';

const WINDOW_MS = 60_000;
const FAILURES_ALLOWED = 100;

interface Window {
  since: number;
  failures: number;
}

/**
 * Counts invalid tokens by tenant in this process. Signatures cannot be guessed, so this is only
 * throttling.
 */
export interface InvalidTokenRateLimit {
  /** @throws ApiError `too_many_failures` after a hundred invalid tokens within a minute */
  refuseTooMany(tenantId: string, now: number): void;
  count(tenantId: string, now: number): void;
}

export function createInvalidTokenRateLimit(): InvalidTokenRateLimit {
  const windows = new Map<string, Window>();
  const windowOf = (tenantId: string, now: number): Window => {
    const window = windows.get(tenantId);
    if (window && now < window.since + WINDOW_MS) return window;
    const fresh = { since: now, failures: 0 };
    windows.set(tenantId, fresh);
    return fresh;
  };
  return {
    refuseTooMany(tenantId, now) {
      const { since, failures } = windowOf(tenantId, now);
      if (failures < FAILURES_ALLOWED) return;
      const wait = Math.ceil((since + WINDOW_MS - now) / 1000);
      throw new ApiError(
        'too_many_failures',
        `too many invalid tokens: try again in ${wait} seconds`,
        {
          retry_after: wait,
        },
      );
    },
    count(tenantId, now) {
      windowOf(tenantId, now).failures += 1;
    },
  };
}
