import { SECOND_MS } from '#lib/time-units.ts';
import { InstallerError } from '../installer-error.ts';
import { setTimeout } from 'node:timers/promises';

/** The current time and sleeping, in milliseconds. Tests replace it. */
export interface Clock {
  now: () => number;
  sleep: (milliseconds: number) => Promise<void>;
}

export const systemClock: Clock = {
  now: Date.now,
  sleep: (milliseconds) => setTimeout(milliseconds),
};

/** A temporary failure that is worth a retry, such as no connection or an overloaded server. */
export class TransientError extends InstallerError {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'TransientError';
  }
}

/** The milliseconds before the second attempt, the third, and so on. */
export const defaultRetryDelays: readonly number[] = [1 * SECOND_MS, 3 * SECOND_MS, 9 * SECOND_MS];

/** Retries after a TransientError, once per pause, and then throws the last error. */
export async function retry<T>(
  clock: Clock,
  attempt: () => Promise<T>,
  pauses: readonly number[] = defaultRetryDelays,
): Promise<T> {
  const [pause, ...later] = pauses;
  try {
    return await attempt();
  } catch (error) {
    if (!(error instanceof TransientError) || pause === undefined) throw error;
  }
  await clock.sleep(pause);
  return retry(clock, attempt, later);
}

/** Parses JSON. Returns undefined if it is invalid. */
export function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}
