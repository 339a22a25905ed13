/** What is known of a device that asks to enroll. */
interface KnownDevice {
  status: 'pending' | 'active' | 'revoked';
  /** The key that it may have an identity for. */
  identity_key: string | null;
}

/**
 * What becomes of a device that asks to enroll with a key. Where approval is required it is for one
 * key: whoever comes with another one, though for a device that is approved, waits anew.
 */
export function decideEnrollment(
  known: KnownDevice | undefined,
  key: string,
  requireApproval: boolean,
): 'issue' | 'wait' | 'refuse' {
  if (known?.status === 'revoked') return 'refuse';
  if (!requireApproval) return 'issue';
  return known?.status === 'active' && known.identity_key === key ? 'issue' : 'wait';
}

const TEN_MINUTES_MS = 600_000;

/** Seconds after which a device asks again: soon while somebody may be at it, seldom later. */
export const askAgainAfter = (waitedMs: number): number => (waitedMs < TEN_MINUTES_MS ? 60 : 600);

/** Of a device's intermediates those that may do what the device may do no longer. */
export const tooWide = (
  intermediates: readonly { serial: string; hosts: string }[],
  allowed: readonly string[],
): string[] =>
  intermediates
    .filter(({ hosts }) => (JSON.parse(hosts) as string[]).some((host) => !allowed.includes(host)))
    .map(({ serial }) => serial);
