import fc from 'fast-check';
import { vi } from 'vitest';
import { PATIENCE_MS } from './time-limits.ts';

type Outcome = fc.PropertyFailure | fc.PreconditionFailure | null;

// Stored before a test can replace the clock.
const now = performance.now.bind(performance);

/**
 * A plugin for fast-check that limits the time for shrinking. The smallest counterexample so far is
 * then reported; without the limit, the test would time out and report none.
 */
export const limitShrinking =
  (ms: number): fc.Plugin<unknown> =>
  () => {
    let end = Infinity;
    const watch = (outcome: Outcome): Outcome => {
      if (outcome !== null && 'error' in outcome) end = Math.min(end, now() + ms);
      return outcome;
    };
    return {
      decorateRun: (run) => (value) => {
        if (now() > end) return new fc.PreconditionFailure(true);
        const outcome = run(value);
        return outcome !== null && 'then' in outcome ? outcome.then(watch) : watch(outcome);
      },
    };
  };

/** Runs before each test file: sets defaults for which vitest and fast-check have no settings. */
fc.installGlobalPlugin(limitShrinking(30_000));

const patient = <T extends object>(options: number | T | undefined) => ({
  timeout: PATIENCE_MS,
  ...(typeof options === 'number' ? { timeout: options } : options),
});
const { waitFor, waitUntil } = vi;
vi.waitFor = (callback, options) => waitFor(callback, patient(options));
vi.waitUntil = (callback, options) => waitUntil(callback, patient(options));
