import { MAX_TRACE_PAGE } from '#contract/run-trace.ts';
import type { contract } from '#contract/index.ts';
import type { RouteResponse } from '#contract/route.ts';
import { api } from './api.ts';
import { keyFor } from './load-pages.ts';
import type { Source } from './query.ts';

export type TracePage = RouteResponse<(typeof contract)['runs']['getRunTrace']>;
export type TraceRecord = TracePage['items'][number];

/** Number of records that are shown before the rest is loaded. */
const FIRST_PAGE = 1000;

/** Maximum number of records to load: more would take too much memory in a tab. */
export const MAX_RECORDS = 100_000;

/** Runs started by a run send their own changes, which do not reach its page. */
const POLL_MS = 10_000;

const liveFor = (id: string, isRunning: boolean) => ({
  topics: ['runs'] as const,
  run: id,
  throttleMs: 2000,
  ...(isRunning && { pollMs: POLL_MS }),
});

/** The first records of a run and of the runs that it started. */
export const traceStart = (id: string, isRunning: boolean): Source<TracePage> => ({
  ...liveFor(id, isRunning),
  key: keyFor('trace', id, isRunning),
  load: (signal) =>
    api.runs.getRunTrace({ params: { id }, query: { limit: FIRST_PAGE } }, { signal }),
});

/** The records after a cursor, up to the maximum; no records without a cursor. */
export const traceRest = (
  id: string,
  isRunning: boolean,
  cursor: string | null,
): Source<Pick<TracePage, 'items' | 'next_cursor'>> => ({
  ...liveFor(id, isRunning),
  key: keyFor('rest of trace', id, isRunning, cursor),
  async load(signal) {
    const items: TraceRecord[] = [];
    let next = cursor;
    while (next !== null && items.length + FIRST_PAGE < MAX_RECORDS) {
      const query = { limit: MAX_TRACE_PAGE, cursor: next };
      const page = await api.runs.getRunTrace({ params: { id }, query }, { signal });
      for (const item of page.items) items.push(item);
      next = page.next_cursor;
    }
    return { items, next_cursor: next };
  },
});

export type FoundInTrace = RouteResponse<(typeof contract)['runs']['searchRunTrace']>;

/** The records that contain a text; no records for an empty text. */
export const traceSearch = (id: string, text: string): Source<FoundInTrace> => ({
  key: keyFor('search in trace', id, text),
  topics: [],
  load: (signal) =>
    text === ''
      ? Promise.resolve({ found: [], complete: true })
      : api.runs.searchRunTrace({ params: { id }, query: { text } }, { signal }),
});
