import type { Settings } from './config.ts';
import { ObserveError, type ProblemCode } from './observe-error.ts';

export interface Reporter {
  /** Tells `onError`; without one, the first problem of each kind becomes a warning. */
  problem(code: ProblemCode, message: string): void;
  debug(message: string): void;
}

type Log = Pick<Console, 'warn' | 'debug'>;

// The console is the one place to write to that every runtime has; as a parameter, tests can read.
export function createReporter(
  { onError, debug }: Pick<Settings, 'onError' | 'debug'>,
  log: Log | undefined = globalThis.console,
): Reporter {
  const warned = new Set<ProblemCode>();
  return {
    problem(code, message) {
      if (debug) log?.debug(`svc-observe: ${code}: ${message}`);
      if (onError) return tell(onError, new ObserveError(code, message));
      if (warned.has(code)) return;
      warned.add(code);
      log?.warn(`svc-observe: ${message}`);
    },
    debug(message) {
      if (debug) log?.debug(`svc-observe: ${message}`);
    },
  };
}

function tell(onError: (error: Error) => void, error: ObserveError): void {
  try {
    onError(error);
  } catch {
    // Its own failure has nobody left to be told to.
  }
}
