import { formatCount } from '../format.ts';
import type { Progress } from './use-growing.ts';

/** Button below a partially loaded list. */
export function ShowMore({ shown, count, loading, error, onMore }: Progress) {
  if (shown >= count) return null;
  return (
    <div className="pager">
      {error !== undefined && <span className="form-error">{error}</span>}
      <span>
        {formatCount(shown)} of {formatCount(count)}
      </span>
      <button type="button" className="button" disabled={loading} onClick={onMore}>
        {error === undefined ? 'Show more' : 'Try again'}
      </button>
    </div>
  );
}
