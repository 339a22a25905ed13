import { useState, useSyncExternalStore } from 'react';
import { livePath } from '#contract/live.ts';
import { createLive } from './live.ts';
import type { LiveStatus } from './live.ts';
import { createQuery } from './query.ts';
import type { Query, Source } from './query.ts';
import { subscribeSession, readSession } from './session.ts';

const live = createLive({
  url: () => `${location.origin.replace(/^http/, 'ws')}${livePath}`,
});

const queries = new Map<string, Query<unknown>>();
const keptQueries = 100;

subscribeSession(() => {
  if (readSession().status === 'signed-in') return live.start();
  live.stop();
  queries.clear();
});

function queryFor<T>(source: Source<T>): Query<T> {
  const known = queries.get(source.key);
  if (known) return known as Query<T>;
  const query = createQuery(source, { live });
  queries.set(source.key, query);
  if (queries.size > keptQueries) forgetOldest(query);
  return query;
}

/** What is on the screen stays: forgotten, it would be read anew at once. */
function forgetOldest(but: Query<unknown>): void {
  for (const [key, query] of queries) {
    if (query.used() || query === but) continue;
    queries.delete(key);
    return;
  }
}

export interface Reading<T> {
  data: T | undefined;
  error: string | undefined;
  /** `data` is still that of the source asked for before. */
  stale: boolean;
  refetch: () => Promise<void>;
}

/** What the source answers, kept up to date; the former answer until a changed source answers. */
export function useQuery<T>(source: Source<T>): Reading<T> {
  const query = queryFor(source);
  const { data, error } = useSyncExternalStore(query.subscribe, query.read);
  const [former, setFormer] = useState(data);
  if (data !== undefined && data !== former) setFormer(data);
  return { data: data ?? former, error, stale: data === undefined, refetch: query.refetch };
}

export const useLiveStatus = (): LiveStatus => useSyncExternalStore(live.onStatus, live.status);

export function useSession() {
  return useSyncExternalStore(subscribeSession, readSession);
}
