import type { Settings } from '../config.ts';
import type { Run } from './types.ts';
import { unref } from '../unref.ts';

/** The run of what is recorded outside any run. It lasts as long as records wait for each other. */
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
      // A process that has nothing else to do may end.
      unref(timer);
      run = start();
      return run;
    },
    end,
    isOpen: () => run !== undefined,
  };
}
