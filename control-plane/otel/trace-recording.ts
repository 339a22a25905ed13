import type { Recording } from '../recording/queries.ts';
import type { SearchIndex } from '../storage/search/search-index.ts';

/** A recording transaction that may also take calls back. */
export interface TraceRecording extends Recording {
  search: SearchIndex;
}
