import type { Recording } from '../recording/queries.ts';
import type { SearchIndex } from '../storage/search/search-index.ts';

/** A recording transaction that can also remove calls from the search index. */
export interface TraceRecording extends Recording {
  search: SearchIndex;
}
