import { backoffMs, type BackoffLimits, defaultBackoff } from './backoff.ts';

/** Multiples of the longest backoff delay, one minute by default. */
const ACCEPTED_AFTER = 5;
const MAX_PAUSE_FACTOR = 30;

export interface EnrollPause {
  /** The control plane accepted the identity. */
  recordAcceptance(now: number): void;
  /** The control plane rejected the identity. */
  recordRefusal(now: number, random: number): void;
  /** Milliseconds until the device may enroll again. */
  remainingMs(now: number): number;
  /** Whether an identity was rejected within minutes after it was issued. */
  isDisputed(): boolean;
}

/**
 * The pause before a device enrolls again after its new identity was rejected. There is no pause
 * the first time; then pauses grow up to half an hour, until an identity has been accepted for five
 * minutes. One accepted request is not enough: two computers with the same hardware id are each
 * accepted until the other enrolls. Times are milliseconds of a monotonic clock.
 */
export function createEnrollPause(limits: BackoffLimits = defaultBackoff): EnrollPause {
  const pauses = { ...limits, maxMs: limits.maxMs * MAX_PAUSE_FACTOR };
  let refusals = 0;
  let till = 0;
  let acceptedFrom: number | null = null;
  return {
    recordAcceptance: (now) => {
      acceptedFrom ??= now;
      if (now - acceptedFrom >= limits.maxMs * ACCEPTED_AFTER) refusals = 0;
    },
    recordRefusal: (now, random) => {
      acceptedFrom = null;
      till = refusals > 0 ? now + backoffMs(refusals, random, pauses) : now;
      refusals += 1;
    },
    remainingMs: (now) => Math.max(0, till - now),
    isDisputed: () => refusals > 1,
  };
}
