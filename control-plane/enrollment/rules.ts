import { MINUTE_MS } from '#lib/time-units.ts';
/** The existing state of a device that requests enrollment. */
interface KnownDevice {
  status: 'pending' | 'active' | 'revoked';
  /** The hash of the key for which it may hold an identity. */
  identity_key: string | null;
}

/**
 * Decides on an enrollment request with a key. Approval applies to one key, so a request with
 * another key waits for approval again, even for an approved device.
 */
export function decideEnrollment(
  existing: KnownDevice | undefined,
  key: string,
  requireApproval: boolean,
): 'issue' | 'wait' | 'refuse' {
  if (existing?.status === 'revoked') return 'refuse';
  if (!requireApproval) return 'issue';
  return existing?.status === 'active' && existing.identity_key === key ? 'issue' : 'wait';
}

const TEN_MINUTES_MS = 10 * MINUTE_MS;

/**
 * Returns the polling interval in seconds, which is short while an administrator may be deciding,
 * and longer later.
 */
export const retryAfterSeconds = (waitedMs: number): number =>
  waitedMs < TEN_MINUTES_MS ? 60 : 600;

/** Returns the intermediates of a device that allow more than the device may do now. */
export const excessiveIntermediates = (
  intermediates: readonly { serial: string; hosts: string }[],
  allowed: readonly string[],
): string[] =>
  intermediates
    .filter(({ hosts }) => (JSON.parse(hosts) as string[]).some((host) => !allowed.includes(host)))
    .map(({ serial }) => serial);
