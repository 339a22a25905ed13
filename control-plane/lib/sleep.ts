import { setTimeout as pause } from 'node:timers/promises';

/** Waits, unless and until the signal says otherwise. Does not keep the process alive. */
export const sleep = (ms: number, signal: AbortSignal): Promise<void> =>
  pause(ms, undefined, { signal, ref: false }).catch(() => undefined);
