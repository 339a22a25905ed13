import type { Settings } from '../config.ts';
import type { Reporter } from '../report.ts';
import { backoffMs } from './backoff.ts';
import type { SendResult } from './request.ts';

/** The availability of the server, according to the results of requests. */
export interface Availability {
  /** Epoch milliseconds, or 0 while the server is available. */
  unavailableUntil(): number;
  /** Whether the last request failed. */
  isFailing(): boolean;
  update(result: SendResult): void;
  /** Allows the next request to be sent at once. */
  retryNow(): void;
}

export function createAvailability(
  settings: Pick<Settings, 'baseUrl' | 'retryDelayMs'>,
  report: Reporter,
): Availability {
  let failures = 0;
  let unavailableUntil = 0;
  return {
    unavailableUntil: () => unavailableUntil,
    isFailing: () => failures > 0,
    update(result) {
      if (result.kind !== 'unavailable') {
        failures = 0;
        unavailableUntil = 0;
        return;
      }
      // Concurrent requests that fail together count as one failure.
      if (Date.now() < unavailableUntil) return;
      failures += 1;
      const delay = backoffMs(failures, settings.retryDelayMs);
      unavailableUntil = Date.now() + Math.max(delay, result.retryAfterMs);
      if (failures === 1)
        report.problem(
          'unreachable',
          `${settings.baseUrl} is unreachable: ${result.message}`,
          result.reason,
        );
    },
    retryNow() {
      unavailableUntil = 0;
    },
  };
}
