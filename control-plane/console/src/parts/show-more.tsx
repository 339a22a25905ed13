import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { MAX_PAGE_SIZE } from '../data/load-pages.ts';
import type { Source } from '../data/query.ts';
import { useQuery } from '../data/use-query.ts';
import { formatCount } from '../format.ts';

/** The number of loaded items in a list, and the function that loads more. */
export interface Progress {
  shown: number;
  count: number;
  loading: boolean;
  error: string | undefined;
  onMore: () => void;
}

interface GrowingOptions<T> {
  /** The first hundred items, which another response contains. */
  first: readonly T[];
  count: number;
  /** Loads the remaining items up to an index. */
  remainingTo: (to: number) => Source<T[]>;
}

/** A list that loads a hundred more items on request. */
export function useIncrementalList<T>({ first, count, remainingTo }: GrowingOptions<T>): {
  items: T[];
  progress: Progress;
} {
  const [to, setTo] = useState(MAX_PAGE_SIZE);
  const { data = [], error, stale, refetch } = useQuery(remainingTo(to));
  const items = [...first, ...data];
  const onMore = () => (error === undefined ? setTo(to + MAX_PAGE_SIZE) : void refetch());
  const loading = stale && error === undefined;
  return { items, progress: { shown: items.length, count, loading, error, onMore } };
}

/** Button below a list that is only partly loaded. */
export function ShowMore({ shown, count, loading, error, onMore }: Progress) {
  if (shown >= count) return null;
  return (
    <div className="pager">
      {error !== undefined && <span className="form-error">{error}</span>}
      <span>
        <Trans>
          {formatCount(shown)} of {formatCount(count)}
        </Trans>
      </span>
      <button type="button" className="button" disabled={loading} onClick={onMore}>
        {error === undefined ? t`Show more` : t`Try again`}
      </button>
    </div>
  );
}
