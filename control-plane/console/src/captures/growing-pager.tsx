import { formatCount } from '../format.ts';

interface GrowingPagerProps {
  label: string;
  offset: number;
  limit: number;
  count: number;
  /** False: there are at least `count`. */
  exact: boolean;
  onMove: (offset: number) => void;
}

/** Leads through a list that is counted only so far. */
export function GrowingPager({ label, offset, limit, count, exact, onMove }: GrowingPagerProps) {
  if (count <= limit && offset === 0) return null;
  const last = Math.min(offset + limit, count);
  return (
    <nav className="pager" aria-label={label}>
      <span>
        {formatCount(offset + 1)}–{formatCount(last)} of {exact ? '' : 'more than '}
        {formatCount(count)}
      </span>
      <button
        type="button"
        className="button"
        disabled={offset === 0}
        onClick={() => onMove(Math.max(0, offset - limit))}
      >
        Previous
      </button>
      <button
        type="button"
        className="button"
        disabled={last >= count}
        onClick={() => onMove(offset + limit)}
      >
        Next
      </button>
    </nav>
  );
}
