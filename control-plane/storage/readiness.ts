/** Whether something works that the control plane cannot do without. */
export type Check = { status: 'ok' } | { status: 'failed'; reason: string };

/** Finds out why something does not work; undefined when it does. */
export type Look = () => Promise<string | undefined>;

const FRESH_MS = 2000;
const LONGEST_MS = 2000;

/** Looks when asked, at most every two seconds, and answers within two more: undefined when that is too soon. */
export function boundedLook<T>(look: () => Promise<T>): () => Promise<T | undefined> {
  let last: { found: T; at: number } | undefined;
  let looking: Promise<T> | undefined;

  async function lookOnce(): Promise<T> {
    try {
      const found = await look();
      last = { found, at: performance.now() };
      return found;
    } finally {
      looking = undefined;
    }
  }
  return async () => {
    if (last && !looking && performance.now() - last.at < FRESH_MS) return last.found;
    looking ??= lookOnce();
    const { promise: limit, resolve } = Promise.withResolvers<undefined>();
    const timer = setTimeout(() => resolve(undefined), LONGEST_MS);
    try {
      return await Promise.race([looking, limit]);
    } finally {
      clearTimeout(timer);
    }
  };
}

/** What is slow to fail counts as failed, for the reason it had the last time, if any. */
export function boundedCheck(
  look: Look,
  reasonOf: (error: unknown) => string,
): () => Promise<Check> {
  const slow = {
    status: 'failed',
    reason: `no answer within ${LONGEST_MS / 1000} seconds`,
  } as const;
  let last: Check | undefined;
  const check = boundedLook(async (): Promise<Check> => {
    const reason = await look().catch(reasonOf);
    return (last = reason === undefined ? { status: 'ok' } : { status: 'failed', reason });
  });
  return async () => (await check()) ?? (last?.status === 'failed' ? last : slow);
}
