import { useState } from 'react';
import { longestPage } from '../data/many.ts';
import type { Source } from '../data/query.ts';
import { useQuery } from '../data/use-query.ts';

/** How far a list has been read, and what reads on. */
export interface Progress {
  shown: number;
  count: number;
  loading: boolean;
  error: string | undefined;
  onMore: () => void;
}

interface GrowingOptions<T> {
  /** The first hundred, which came with something else. */
  first: readonly T[];
  count: number;
  /** What lies behind them, up to a place. */
  restTo: (to: number) => Source<T[]>;
}

/** A list of which more is read on request, a hundred at a time. */
export function useGrowing<T>({ first, count, restTo }: GrowingOptions<T>): {
  items: T[];
  progress: Progress;
} {
  const [to, setTo] = useState(longestPage);
  const { data = [], error, stale, refetch } = useQuery(restTo(to));
  const items = [...first, ...data];
  const onMore = () => (error === undefined ? setTo(to + longestPage) : void refetch());
  const loading = stale && error === undefined;
  return { items, progress: { shown: items.length, count, loading, error, onMore } };
}
