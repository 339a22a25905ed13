import { setTimeout as pause } from 'node:timers/promises';

/** Resolves after `ms`, or when the signal aborts. Does not keep the process alive. */
export const sleep = (ms: number, signal: AbortSignal): Promise<void> =>
  pause(ms, undefined, { signal, ref: false }).catch(() => undefined);
