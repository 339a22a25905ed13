import { NEVER } from './run-queue.ts';

/** Lets the process exit while a timer is pending. Timers of browsers and mocks may be numbers. */
export const unref = (timer: unknown): void =>
  (timer as { unref?: () => void } | undefined)?.unref?.();

export interface Alarm {
  /** Schedules the run for this time in epoch milliseconds, unless it is scheduled earlier. */
  set(at: number): void;
  clear(): void;
}

/** Creates an alarm that does not keep the process alive. */
export function createAlarm(run: () => void): Alarm {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let dueAt = NEVER;
  const fire = (): void => {
    dueAt = NEVER;
    run();
  };
  return {
    set(at) {
      if (at >= dueAt) return;
      clearTimeout(timer);
      dueAt = at;
      timer = setTimeout(fire, Math.max(0, at - Date.now()));
      unref(timer);
    },
    clear() {
      clearTimeout(timer);
      dueAt = NEVER;
    },
  };
}
