import type { Stats } from 'node:fs';

/**
 * File systems keep times in steps of up to two seconds (FAT), most of some milliseconds: what is
 * changed again within a step has the same times as before.
 */
export const longestStepMs = 2000;

/**
 * Was the last change so long before `now` (ms) that a further one gives other times? If not, the
 * times say nothing: what was read together with them has to be read again.
 */
export const isSettled = (info: Stats, now: number): boolean =>
  Math.max(info.mtimeMs, info.ctimeMs) <= now - longestStepMs;
