import { ApiError } from '#contract/errors.ts';
import type { Storage } from '../storage/open.ts';

const WINDOW_MS = 60_000;
const FAILURES_ALLOWED = 100;

interface Window {
  since: number;
  failures: number;
}

/** By tenant, per process: a signature cannot be guessed, so this only throttles. */
const windows = new WeakMap<Storage, Map<string, Window>>();

const windowOf = (storage: Storage, tenantId: string, now: number): Window => {
  const ofStorage = windows.get(storage) ?? new Map<string, Window>();
  windows.set(storage, ofStorage);
  const window = ofStorage.get(tenantId);
  if (window && now < window.since + WINDOW_MS) return window;
  const fresh = { since: now, failures: 0 };
  ofStorage.set(tenantId, fresh);
  return fresh;
};

/**
 * @throws ApiError `rate_limited` after a hundred invalid tokens within a minute
 */
export function refuseTooMany(storage: Storage, tenantId: string, now: number): void {
  const { since, failures } = windowOf(storage, tenantId, now);
  if (failures < FAILURES_ALLOWED) return;
  const wait = Math.ceil((since + WINDOW_MS - now) / 1000);
  throw new ApiError('rate_limited', `too many invalid tokens: try again in ${wait} seconds`, {
    retry_after: wait,
  });
}

export function countFailed(storage: Storage, tenantId: string, now: number): void {
  windowOf(storage, tenantId, now).failures += 1;
}
