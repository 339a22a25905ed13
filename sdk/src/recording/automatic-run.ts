import type { Settings } from '../config.ts';
import type { Run } from './types.ts';
import { unref } from '../delivery/alarm.ts';

/** The run for records outside any run. It lasts for one flush interval. */
export interface AutomaticRun {
  get(): Run;
  end(): void;
  isOpen(): boolean;
}

export function createAutomaticRun(
  { flushIntervalMs }: Pick<Settings, 'flushIntervalMs'>,
  start: () => Run,
): AutomaticRun {
  let run: Run | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function end(): void {
    clearTimeout(timer);
    run?.complete();
    run = undefined;
  }

  return {
    get() {
      if (run) return run;
      timer = setTimeout(end, flushIntervalMs);
      // The timer does not keep the process alive.
      unref(timer);
      run = start();
      return run;
    },
    end,
    isOpen: () => run !== undefined,
  };
}
