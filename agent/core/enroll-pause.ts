import { backoffMs, type BackoffLimits, defaultBackoff } from './backoff.ts';

/** Both as multiples of the longest pause after an attempt that failed: one minute by default. */
const ACCEPTED_AFTER = 5;
const MAX_PAUSE_FACTOR = 30;

export interface EnrollPause {
  /** The control plane took the identity. */
  accepted(now: number): void;
  /** The control plane did not take it. */
  refused(now: number, random: number): void;
  /** Milliseconds that the device still has to wait before it enrolls. */
  left(now: number): number;
  /** Was an identity refused before it had been in use for some minutes? */
  disputed(): boolean;
}

/**
 * How long a device waits that was refused the identity it had just been issued. The first time
 * it does not wait; then the pauses grow, up to half an hour, until an identity has been accepted
 * for five minutes. One answer does not do: two computers with one hardware id are each accepted
 * until the other enrolls. Times are milliseconds of a clock that only goes forward.
 */
export function createEnrollPause(limits: BackoffLimits = defaultBackoff): EnrollPause {
  const pauses = { ...limits, maxMs: limits.maxMs * MAX_PAUSE_FACTOR };
  let refusals = 0;
  let till = 0;
  let acceptedFrom: number | null = null;
  return {
    accepted: (now) => {
      acceptedFrom ??= now;
      if (now - acceptedFrom >= limits.maxMs * ACCEPTED_AFTER) refusals = 0;
    },
    refused: (now, random) => {
      acceptedFrom = null;
      till = refusals > 0 ? now + backoffMs(refusals, random, pauses) : now;
      refusals += 1;
    },
    left: (now) => Math.max(0, till - now),
    disputed: () => refusals > 1,
  };
}
