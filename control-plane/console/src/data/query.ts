import type { LiveMessage } from '#contract/live.ts';
import { describeError } from './describe-error.ts';
import type { Live, Topic } from './live.ts';

/** Data to load from the service, and the changes that invalidate it. */
export interface Source<T> {
  /** Identifies everything that the response depends on. */
  key: string;
  topics: readonly Topic[];
  /** If set, only changes of this device cause a refetch. */
  device?: string;
  /** If set, only changes of this run cause a refetch. */
  run?: string;
  /** Minimum milliseconds between a change and the refetch, for expensive requests. */
  throttleMs?: number;
  /** Polling interval in milliseconds, for data whose changes are not all sent live. */
  pollMs?: number;
  load(signal: AbortSignal): Promise<T>;
}

export interface QueryState<T> {
  data: T | undefined;
  error: string | undefined;
}

export interface Query<T> {
  read: () => QueryState<T>;
  subscribe: (listener: () => void) => () => void;
  hasSubscribers: () => boolean;
  /** Resolves with the first response to a request sent after this call. Never rejects. */
  refetch: () => Promise<void>;
}

interface QueryOptions {
  live: Pick<Live, 'subscribe'>;
  /** The default for sources without `throttleMs`. */
  throttleMs?: number;
}

/**
 * Creates a query, which loads while it has subscribers and keeps the latest data. At most one
 * request is in flight.
 */
export function createQuery<T>(
  source: Source<T>,
  { live, throttleMs = 300 }: QueryOptions,
): Query<T> {
  const listeners = new Set<() => void>();
  let state: QueryState<T> = { data: undefined, error: undefined };
  let inFlight: AbortController | undefined;
  let pending: (() => void)[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let pollTimer: ReturnType<typeof setInterval> | undefined;
  let unsubscribe: (() => void) | undefined;

  const load = async () => {
    const resolvers = pending;
    pending = [];
    const current = new AbortController();
    inFlight = current;
    const next = await attempt(source, current.signal, state.data);
    if (inFlight === current) {
      inFlight = undefined;
      state = next;
      for (const listener of listeners) listener();
      if (pending.length > 0) void load();
    }
    for (const resolve of resolvers) resolve();
  };

  const refetch = () =>
    new Promise<void>((resolve) => {
      pending.push(resolve);
      if (!inFlight) void load();
    });

  const refetchSoon = () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      void refetch();
    }, source.throttleMs ?? throttleMs);
  };

  const start = () => {
    unsubscribe = live.subscribe(source.topics, (message) => {
      if (affects(source, message)) refetchSoon();
    });
    if (source.pollMs !== undefined) pollTimer = setInterval(() => void refetch(), source.pollMs);
    void refetch();
  };

  const stop = () => {
    unsubscribe?.();
    clearInterval(pollTimer);
    clearTimeout(timer);
    timer = undefined;
    inFlight?.abort();
    inFlight = undefined;
    for (const resolve of pending) resolve();
    pending = [];
  };

  return {
    read: () => state,
    subscribe: (listener) => {
      listeners.add(listener);
      if (listeners.size === 1) start();
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) stop();
      };
    },
    hasSubscribers: () => listeners.size > 0,
    refetch,
  };
}

/**
 * Whether a change concerns a source. A message without a device or run id concerns all of them.
 */
function affects({ device, run }: Source<unknown>, message: LiveMessage | undefined): boolean {
  const ofOtherDevice = device && message?.device_id && message.device_id !== device;
  const ofOtherRun = run && message?.run_id && String(message.run_id) !== run;
  return !ofOtherDevice && !ofOtherRun;
}

/** Sends a request. If it fails, the previous data is kept. */
async function attempt<T>(
  source: Source<T>,
  signal: AbortSignal,
  previous: T | undefined,
): Promise<QueryState<T>> {
  try {
    return { data: await source.load(signal), error: undefined };
  } catch (error) {
    return { data: previous, error: describeError(error) };
  }
}
