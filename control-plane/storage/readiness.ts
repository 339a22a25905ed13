/** Whether something works that the control plane cannot do without. */
export type Check = { status: 'ok' } | { status: 'failed'; reason: string };

/** Finds out why something does not work; undefined when it does. */
export type Look = () => Promise<string | undefined>;

const FRESH_MS = 2000;
const LONGEST_MS = 2000;

/**
 * Looks when asked, at most every two seconds, and answers within two more: what is slow to fail
 * counts as failed, for the reason it had the last time, if any.
 */
export function boundedCheck(
  look: Look,
  reasonOf: (error: unknown) => string,
): () => Promise<Check> {
  let last: { check: Check; at: number } | undefined;
  let looking: Promise<Check> | undefined;

  async function lookOnce(): Promise<Check> {
    const reason = await look().catch(reasonOf);
    const check: Check = reason === undefined ? { status: 'ok' } : { status: 'failed', reason };
    last = { check, at: performance.now() };
    looking = undefined;
    return check;
  }
  const slow = (): Check =>
    last?.check.status === 'failed'
      ? last.check
      : { status: 'failed', reason: `no answer within ${LONGEST_MS / 1000} seconds` };

  return async () => {
    if (last && !looking && performance.now() - last.at < FRESH_MS) return last.check;
    looking ??= lookOnce();
    const { promise: limit, resolve } = Promise.withResolvers<Check>();
    const timer = setTimeout(() => resolve(slow()), LONGEST_MS);
    try {
      return await Promise.race([looking, limit]);
    } finally {
      clearTimeout(timer);
    }
  };
}
