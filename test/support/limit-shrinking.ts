import fc from 'fast-check';

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
