import fc from 'fast-check';
import { vi } from 'vitest';
import { PATIENCE_MS } from './time-limits.ts';

type Outcome = fc.PropertyFailure | fc.PreconditionFailure | null;

// Taken before a test can put its own clock there.
const now = performance.now.bind(performance);

/**
 * For fast-check: a property that fails is shrunk for this long and no longer, and then reported
 * with the smallest counterexample so far. Past the limit of its test, there would be none.
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

/** Run before each test file: defaults that vitest and fast-check have no settings for. */
fc.installGlobalPlugin(limitShrinking(30_000));

const patient = <T extends object>(options: number | T | undefined) => ({
  timeout: PATIENCE_MS,
  ...(typeof options === 'number' ? { timeout: options } : options),
});
const { waitFor, waitUntil } = vi;
vi.waitFor = (callback, options) => waitFor(callback, patient(options));
vi.waitUntil = (callback, options) => waitUntil(callback, patient(options));
