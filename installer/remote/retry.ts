import type { Clock } from './clock.ts';
import { PassingError } from './passing-error.ts';

const second = 1000;

/** Milliseconds before the second attempt, the third, and so on. */
export const shortPauses: readonly number[] = [1 * second, 3 * second, 9 * second];

/** Retries after a PassingError, once per pause, then throws the last one. */
export async function retry<T>(
  clock: Clock,
  attempt: () => Promise<T>,
  pauses: readonly number[] = shortPauses,
): Promise<T> {
  const [pause, ...later] = pauses;
  try {
    return await attempt();
  } catch (error) {
    if (!(error instanceof PassingError) || pause === undefined) throw error;
  }
  await clock.sleep(pause);
  return retry(clock, attempt, later);
}
