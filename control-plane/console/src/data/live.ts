import { liveTopics } from '#contract/live.ts';
import type { LiveMessage } from '#contract/live.ts';

export type Topic = LiveMessage['topic'];
export type LiveStatus = 'connecting' | 'live' | 'reconnecting';

/** Called with `undefined` if any data may have changed. */
export type LiveListener = (message: LiveMessage | undefined) => void;

export interface Live {
  start(): void;
  stop(): void;
  status: () => LiveStatus;
  onStatus: (listener: () => void) => () => void;
  subscribe(topics: readonly Topic[], listener: LiveListener): () => void;
}

interface LiveOptions {
  url: () => string;
  /** Milliseconds to wait before reconnect attempt n, counted from 0. */
  retryDelay?: (attempt: number) => number;
  /** Milliseconds between calls of the listeners while disconnected. */
  pollEvery?: number;
}

/** The default delay before a reconnect attempt, in milliseconds: doubles from 1 s up to 30 s. */
export const backoff = (attempt: number): number => Math.min(1000 * 2 ** attempt, 30_000);

/**
 * Opens one WebSocket that all queries share. While it is disconnected, listeners are called
 * without a message at intervals, and once more after reconnecting.
 */
export function createLive({ url, retryDelay = backoff, pollEvery = 5000 }: LiveOptions): Live {
  const listeners = new Map<LiveListener, readonly Topic[]>();
  const statusListeners = new Set<() => void>();
  let status: LiveStatus = 'connecting';
  let socket: WebSocket | undefined;
  let attempt = 0;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let poll: ReturnType<typeof setInterval> | undefined;

  const setStatus = (next: LiveStatus) => {
    if (next === status) return;
    status = next;
    for (const listener of statusListeners) listener();
  };

  const notifyAll = () => {
    for (const listener of listeners.keys()) listener(undefined);
  };

  const onOpen = () => {
    clearInterval(poll);
    poll = undefined;
    attempt = 0;
    if (status === 'reconnecting') notifyAll();
    setStatus('live');
  };

  const onClose = () => {
    setStatus('reconnecting');
    poll ??= setInterval(notifyAll, pollEvery);
    retry = setTimeout(connect, retryDelay(attempt));
    attempt += 1;
  };

  const onMessage = (data: unknown) => {
    const message = readMessage(data);
    if (!message) return;
    for (const [listener, topics] of listeners)
      if (topics.includes(message.topic)) listener(message);
  };

  function connect(): void {
    const current = new WebSocket(url());
    socket = current;
    current.addEventListener('open', () => current === socket && onOpen());
    current.addEventListener('message', ({ data }) => current === socket && onMessage(data));
    current.addEventListener('close', () => current === socket && onClose());
  }

  return {
    start: () => {
      if (!socket) connect();
    },
    stop: () => {
      clearTimeout(retry);
      clearInterval(poll);
      poll = undefined;
      attempt = 0;
      const last = socket;
      socket = undefined;
      last?.close();
      setStatus('connecting');
    },
    status: () => status,
    onStatus: (listener) => {
      statusListeners.add(listener);
      return () => statusListeners.delete(listener);
    },
    subscribe: (topics, listener) => {
      listeners.set(listener, topics);
      return () => listeners.delete(listener);
    },
  };
}

// Not validated with the schema of the contract: zod would run for every message.
function readMessage(data: unknown): LiveMessage | undefined {
  try {
    const message = JSON.parse(String(data)) as LiveMessage;
    return liveTopics.includes(message.topic) ? message : undefined;
  } catch {
    return undefined;
  }
}
