/** Status of a dependency that the control plane needs. */
export type Check = { status: 'ok' } | { status: 'failed'; reason: string };

/** Returns the reason of a failure; undefined if the dependency works. */
export type HealthCheck = () => Promise<string | undefined>;

const FRESH_MS = 2000;
const MAX_MS = 2000;

/**
 * Runs a check on demand, at most once every two seconds. It returns within two more seconds:
 * undefined on timeout.
 */
export function cachedCheck<T>(probe: () => Promise<T>): () => Promise<T | undefined> {
  let last: { value: T; at: number } | undefined;
  let looking: Promise<T> | undefined;

  async function runCheck(): Promise<T> {
    try {
      const value = await probe();
      last = { value, at: performance.now() };
      return value;
    } finally {
      looking = undefined;
    }
  }
  return async () => {
    if (last && !looking && performance.now() - last.at < FRESH_MS) return last.value;
    looking ??= runCheck();
    const { promise: limit, resolve } = Promise.withResolvers<undefined>();
    const timer = setTimeout(() => resolve(undefined), MAX_MS);
    try {
      return await Promise.race([looking, limit]);
    } finally {
      clearTimeout(timer);
    }
  };
}

/**
 * Bounds the time of a check. A check that times out counts as failed, with the last known reason,
 * if any.
 */
export function boundedCheck(
  probe: HealthCheck,
  reasonOf: (error: unknown) => string,
): () => Promise<Check> {
  const slow = {
    status: 'failed',
    reason: `no answer within ${MAX_MS / 1000} seconds`,
  } as const;
  let last: Check | undefined;
  const check = cachedCheck(async (): Promise<Check> => {
    const reason = await probe().catch(reasonOf);
    return (last = reason === undefined ? { status: 'ok' } : { status: 'failed', reason });
  });
  return async () => (await check()) ?? (last?.status === 'failed' ? last : slow);
}
