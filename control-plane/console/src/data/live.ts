import { liveTopics } from '#contract/live.ts';
import type { LiveMessage } from '#contract/live.ts';

export type Topic = LiveMessage['topic'];
export type LiveStatus = 'connecting' | 'live' | 'reconnecting';

/** `undefined` instead of a message: anything may have changed. */
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
  /** Milliseconds to wait before the nth attempt to reconnect, counted from 0. */
  retryDelay?: (attempt: number) => number;
  /** Milliseconds between refreshes while there is no connection. */
  pollEvery?: number;
}

/** Doubles from one second up to half a minute. */
export const backoff = (attempt: number): number => Math.min(1000 * 2 ** attempt, 30_000);

/**
 * One WebSocket shared by everything on the screen. While it is down, listeners are told at
 * intervals that anything may have changed, and once more when it is back.
 */
export function createLive({ url, retryDelay = backoff, pollEvery = 5000 }: LiveOptions): Live {
  const listeners = new Map<LiveListener, readonly Topic[]>();
  const statusListeners = new Set<() => void>();
  let status: LiveStatus = 'connecting';
  let socket: WebSocket | undefined;
  let attempt = 0;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let poll: ReturnType<typeof setInterval> | undefined;

  const become = (next: LiveStatus) => {
    if (next === status) return;
    status = next;
    for (const listener of statusListeners) listener();
  };

  const tellAll = () => {
    for (const listener of listeners.keys()) listener(undefined);
  };

  const opened = () => {
    clearInterval(poll);
    poll = undefined;
    attempt = 0;
    if (status === 'reconnecting') tellAll();
    become('live');
  };

  const lost = () => {
    become('reconnecting');
    poll ??= setInterval(tellAll, pollEvery);
    retry = setTimeout(connect, retryDelay(attempt));
    attempt += 1;
  };

  const received = (data: unknown) => {
    const message = readMessage(data);
    if (!message) return;
    for (const [listener, topics] of listeners) {
      if (topics.includes(message.topic)) listener(message);
    }
  };

  function connect(): void {
    const current = new WebSocket(url());
    socket = current;
    current.addEventListener('open', () => current === socket && opened());
    current.addEventListener('message', ({ data }) => current === socket && received(data));
    current.addEventListener('close', () => current === socket && lost());
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
      become('connecting');
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

// By hand: the contract's schema would bring its compiler into every message.
function readMessage(data: unknown): LiveMessage | undefined {
  try {
    const message = JSON.parse(String(data)) as LiveMessage;
    return liveTopics.includes(message.topic) ? message : undefined;
  } catch {
    return undefined;
  }
}
