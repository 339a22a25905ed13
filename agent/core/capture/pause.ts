import type { CapturePause } from '#contract/capture-pauses.ts';
import type { DeviceConfig } from '#contract/device-protocol.ts';
import { MINUTE_MS } from '#lib/time-units.ts';

/** Two clocks of one computer, in ms. */
export interface Clocks {
  /** Since 1970. It can be set. */
  wall: number;
  /** Since the computer was started, sleep included. It cannot be set. */
  uptime: number;
}

export interface Pause extends CapturePause {
  /** Both clocks as the pause began: `started_at` is the wall's. */
  started_uptime: number;
}

type PauseEnd = NonNullable<CapturePause['ended_by']>;

/** Within a pause, the wall clock and the monotonic clock drift apart by seconds unless one is set. */
const MAX_CLOCK_DRIFT_MS = MINUTE_MS;

/**
 * For how many minutes the user of this device may pause capture now; 0: not at all. Requires
 * active capture, and no policy that is enforced through it.
 */
export const minutesAllowed = (config: DeviceConfig | null): number =>
  config?.capture_enabled && config.intercept_hosts.length > 0 ? permittedBy(config) : 0;

/** The same, whether or not there is capture: a pause outlives the capture that it paused. */
export const permittedBy = (config: DeviceConfig | null): number =>
  config === null || config.enforce_policies ? 0 : config.pause_minutes;

/**
 * How much longer a pause lasts, in ms, or why it is over. Of the two clocks the one counts by which
 * more time has passed, so setting the clock back makes no pause longer. A pause ends where the time
 * left is not known: the clocks have come apart, as after the computer was started again.
 */
export function evaluatePause(
  pause: Pick<Pause, 'started_at' | 'started_uptime' | 'minutes'>,
  now: Clocks,
  permitted: number,
): { left: number } | { ended_by: PauseEnd } {
  if (permitted === 0) return { ended_by: 'permission' };
  const byWall = now.wall - pause.started_at;
  const byUptime = now.uptime - pause.started_uptime;
  const passed = Math.max(byWall, byUptime);
  if (passed >= pause.minutes * MINUTE_MS) return { ended_by: 'time' };
  if (passed >= permitted * MINUTE_MS) return { ended_by: 'permission' };
  if (byUptime < 0 || Math.abs(byWall - byUptime) > MAX_CLOCK_DRIFT_MS)
    return { ended_by: 'clock' };
  return { left: Math.min(pause.minutes, permitted) * MINUTE_MS - passed };
}

/** Since when each host is captured, in ms: a host that stays keeps its time. */
export function capturedSince(
  before: Readonly<Record<string, number>>,
  { capture_enabled, intercept_hosts }: DeviceConfig,
  now: number,
): Record<string, number> {
  const hosts = capture_enabled ? intercept_hosts : [];
  return Object.fromEntries(hosts.map((host) => [host, before[host] ?? now]));
}
