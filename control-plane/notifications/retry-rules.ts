const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** About eleven hours in total. */
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

/** The result of sending a message to a receiver. */
export type Outcome =
  | { kind: 'delivered'; answer: string }
  | {
      kind: 'refused';
      /** One line. */
      error: string;
      answer?: string | undefined;
      /** False if another attempt would have the same result. */
      retry: boolean;
      /** The delay that the receiver requested. */
      retryAfterMs?: number | undefined;
    };

/**
 * Returns the milliseconds until the next attempt; null if the message is given up. `chance` (0 to
 * 1) spreads messages that failed together.
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
