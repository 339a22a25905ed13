import type { Settings } from './config.ts';
import { ObserveError, type ProblemCode } from './observe-error.ts';

export interface Reporter {
  /** Calls `onError`. Without it, logs the first problem of each code as a warning. */
  problem(code: ProblemCode, message: string, reason?: string): void;
  debug(message: string): void;
}

type Log = Pick<Console, 'warn' | 'debug'>;

// `console` exists on every runtime. It is a parameter for tests.
export function createReporter(
  { onError, debug }: Pick<Settings, 'onError' | 'debug'>,
  log: Log | undefined = globalThis.console,
): Reporter {
  const warned = new Set<ProblemCode>();
  return {
    problem(code, message, reason) {
      if (debug) log?.debug(`svc-observe: ${code}: ${message}`);
      if (onError) return notify(onError, new ObserveError(code, message, reason));
      if (warned.has(code)) return;
      warned.add(code);
      log?.warn(`svc-observe: ${message}`);
    },
    debug(message) {
      if (debug) log?.debug(`svc-observe: ${message}`);
    },
  };
}

function notify(onError: (error: Error) => void, error: ObserveError): void {
  try {
    onError(error);
  } catch {
    // An error in the handler itself cannot be reported.
  }
}
