import type { CapturePause } from '#contract/capture-pauses.ts';
import type { DeviceConfig } from '#contract/device-protocol.ts';
import { MINUTE_MS } from '#lib/time-units.ts';

/** Two clocks of the computer, in ms. */
export interface Clocks {
  /** Since 1970. Can be changed. */
  wall: number;
  /** Since boot, including sleep. Cannot be changed. */
  uptime: number;
}

export interface Pause extends CapturePause {
  /** Both clocks at the start of the pause: `started_at` is the wall clock's. */
  started_uptime: number;
}

type PauseEnd = NonNullable<CapturePause['ended_by']>;

/**
 * The wall clock and the uptime drift apart only by seconds during a pause, unless the wall clock
 * is changed.
 */
const MAX_CLOCK_DRIFT_MS = MINUTE_MS;

/**
 * The number of minutes for which this device's user may pause capture now; 0 if pausing is not
 * allowed. Requires active capture and no enforced policies.
 */
export const allowedPauseMinutes = (config: DeviceConfig | null): number =>
  config?.capture_enabled && config.intercept_hosts.length > 0 ? maxPauseMinutes(config) : 0;

/**
 * Like `allowedPauseMinutes`, but ignores whether capture is active: a pause may outlast the capture
 * that it paused.
 */
export const maxPauseMinutes = (config: DeviceConfig | null): number =>
  config === null || config.enforce_policies ? 0 : config.pause_minutes;

/**
 * The remaining time of a pause in ms, or why it has ended. The clock with the longer elapsed time
 * counts, so setting the clock back does not extend a pause. A pause also ends if the clocks
 * disagree, as after a reboot.
 */
export function evaluatePause(
  pause: Pick<Pause, 'started_at' | 'started_uptime' | 'minutes'>,
  now: Clocks,
  maxMinutes: number,
): { remainingMs: number } | { ended_by: PauseEnd } {
  if (maxMinutes === 0) return { ended_by: 'permission' };
  const byWall = now.wall - pause.started_at;
  const byUptime = now.uptime - pause.started_uptime;
  const passed = Math.max(byWall, byUptime);
  if (passed >= pause.minutes * MINUTE_MS) return { ended_by: 'time' };
  if (passed >= maxMinutes * MINUTE_MS) return { ended_by: 'permission' };
  if (byUptime < 0 || Math.abs(byWall - byUptime) > MAX_CLOCK_DRIFT_MS)
    return { ended_by: 'clock' };
  return { remainingMs: Math.min(pause.minutes, maxMinutes) * MINUTE_MS - passed };
}

/**
 * Returns the time in ms since which each host is captured. A host that stays captured keeps its
 * time.
 */
export function capturedSince(
  before: Readonly<Record<string, number>>,
  { capture_enabled, intercept_hosts }: DeviceConfig,
  now: number,
): Record<string, number> {
  const hosts = capture_enabled ? intercept_hosts : [];
  return Object.fromEntries(hosts.map((host) => [host, before[host] ?? now]));
}
