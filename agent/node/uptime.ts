import { uptime } from 'node:os';
import type { Clocks } from '#agent/core/capture/pause.ts';

/**
 * Node takes the uptime from the boot clock on Linux, and on macOS from the time of the start, which the
 * kernel moves when the clock is set: sleep counts in both, setting the clock in neither. It goes on over
 * restarts of this process, as a process's own monotonic clock does not.
 */
export const readClocks = (): Clocks => ({ wall: Date.now(), uptime: uptime() * 1000 });
