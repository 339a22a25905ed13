const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** About eleven hours in all. */
const delays = [
  15 * SECOND_MS,
  MINUTE_MS,
  5 * MINUTE_MS,
  15 * MINUTE_MS,
  HOUR_MS,
  3 * HOUR_MS,
  6 * HOUR_MS,
];

export const MAX_ATTEMPTS = delays.length + 1;

/** How a receiver took a message. */
export type Outcome =
  | { kind: 'delivered'; answer: string }
  | {
      kind: 'refused';
      /** One line. */
      error: string;
      answer?: string | undefined;
      /** False: another attempt would have the same end. */
      retry: boolean;
      /** Requested by the receiver. */
      retryAfterMs?: number | undefined;
    };

/**
 * Milliseconds until the next attempt; null: given up. `chance` (0 to 1) spreads messages that failed
 * together.
 */
export function delayAfter(
  attempts: number,
  { retry, retryAfterMs = 0 }: { retry: boolean; retryAfterMs?: number | undefined },
  chance: number,
): number | null {
  const delay = delays[attempts - 1];
  if (!retry || delay === undefined) return null;
  return Math.max(Math.round(delay * (0.8 + 0.4 * chance)), Math.min(retryAfterMs, HOUR_MS));
}
