import { useState, useSyncExternalStore } from 'react';
import { LIVE_PATH } from '#contract/live.ts';
import { createLive } from './live.ts';
import type { LiveStatus } from './live.ts';
import { createQuery } from './query.ts';
import type { Query, Source } from './query.ts';
import { subscribeSession, readSession } from './session.ts';

const live = createLive({
  url: () => `${location.origin.replace(/^http/, 'ws')}${LIVE_PATH}`,
});

const queries = new Map<string, Query<unknown>>();
const MAX_QUERIES = 100;

subscribeSession(() => {
  if (readSession().status === 'signed-in') return live.start();
  live.stop();
  queries.clear();
});

function queryFor<T>(source: Source<T>): Query<T> {
  const cached = queries.get(source.key);
  if (cached) return cached as Query<T>;
  const query = createQuery(source, { live });
  queries.set(source.key, query);
  if (queries.size > MAX_QUERIES) evictOldest(query);
  return query;
}

/** Evicts the oldest query without subscribers, other than `keep`. */
function evictOldest(keep: Query<unknown>): void {
  for (const [key, query] of queries) {
    if (query.hasSubscribers() || query === keep) continue;
    queries.delete(key);
    return;
  }
}

export interface QueryResult<T> {
  data: T | undefined;
  error: string | undefined;
  /** True while `data` is still that of the previous source. */
  stale: boolean;
  refetch: () => Promise<void>;
}

/**
 * Returns the data of the source and keeps it up to date. Keeps the previous data until a changed
 * source has loaded.
 */
export function useQuery<T>(source: Source<T>): QueryResult<T> {
  const query = queryFor(source);
  const { data, error } = useSyncExternalStore(query.subscribe, query.read);
  const [previous, setPrevious] = useState(data);
  if (data !== undefined && data !== previous) setPrevious(data);
  return { data: data ?? previous, error, stale: data === undefined, refetch: query.refetch };
}

export const useLiveStatus = (): LiveStatus => useSyncExternalStore(live.onStatus, live.status);

export function useSession() {
  return useSyncExternalStore(subscribeSession, readSession);
}
