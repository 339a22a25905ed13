import type { LiveMessage } from '#contract/live.ts';
import { describeError } from './describe-error.ts';
import type { Live, Topic } from './live.ts';

/** Something to read from the service, and what makes it worth reading again. */
export interface Source<T> {
  /** Says all that the answer depends on. */
  key: string;
  topics: readonly Topic[];
  /** Only changes of this device matter. */
  device?: string;
  /** Only changes of this run matter. */
  run?: string;
  /** Milliseconds over which changes are gathered, where reading is dear. */
  gather?: number;
  /** Milliseconds after which to read again, where not every change is told. */
  every?: number;
  load(signal: AbortSignal): Promise<T>;
}

export interface QueryState<T> {
  data: T | undefined;
  error: string | undefined;
}

export interface Query<T> {
  read: () => QueryState<T>;
  subscribe: (listener: () => void) => () => void;
  /** Does somebody look? */
  used: () => boolean;
  /** Resolves once an answer is there that was asked for after this call. Never rejects. */
  refetch: () => Promise<void>;
}

interface QueryOptions {
  live: Pick<Live, 'subscribe'>;
  /** Milliseconds over which changes are gathered into one reading. */
  gather?: number;
}

/** Reads while somebody looks; keeps what was read. At most one reading is under way. */
export function createQuery<T>(source: Source<T>, { live, gather = 300 }: QueryOptions): Query<T> {
  const listeners = new Set<() => void>();
  let state: QueryState<T> = { data: undefined, error: undefined };
  let reading: AbortController | undefined;
  let waiting: (() => void)[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let again: ReturnType<typeof setInterval> | undefined;
  let unsubscribe: (() => void) | undefined;

  const read = async () => {
    const answered = waiting;
    waiting = [];
    const current = new AbortController();
    reading = current;
    const next = await attempt(source, current.signal, state.data);
    if (reading === current) {
      reading = undefined;
      state = next;
      for (const listener of listeners) listener();
      if (waiting.length > 0) void read();
    }
    for (const resolve of answered) resolve();
  };

  const refetch = () =>
    new Promise<void>((resolve) => {
      waiting.push(resolve);
      if (!reading) void read();
    });

  const refetchSoon = () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      void refetch();
    }, source.gather ?? gather);
  };

  const start = () => {
    unsubscribe = live.subscribe(source.topics, (message) => {
      if (concerns(source, message)) refetchSoon();
    });
    if (source.every !== undefined) again = setInterval(() => void refetch(), source.every);
    void refetch();
  };

  const stop = () => {
    unsubscribe?.();
    clearInterval(again);
    clearTimeout(timer);
    timer = undefined;
    reading?.abort();
    reading = undefined;
    for (const resolve of waiting) resolve();
    waiting = [];
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
    used: () => listeners.size > 0,
    refetch,
  };
}

/** A change of nothing in particular may be of anything. */
function concerns({ device, run }: Source<unknown>, message: LiveMessage | undefined): boolean {
  const ofOther = device && message?.device_id && message.device_id !== device;
  const ofOtherRun = run && message?.run_id && String(message.run_id) !== run;
  return !ofOther && !ofOtherRun;
}

/** A failed reading keeps the data that were there. */
async function attempt<T>(
  source: Source<T>,
  signal: AbortSignal,
  former: T | undefined,
): Promise<QueryState<T>> {
  try {
    return { data: await source.load(signal), error: undefined };
  } catch (error) {
    return { data: former, error: describeError(error) };
  }
}
