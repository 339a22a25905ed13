import { MAX_TRACE_PAGE } from '#contract/run-trace.ts';
import type { contract } from '#contract/index.ts';
import type { RouteResponse } from '#contract/route.ts';
import { api } from './api.ts';
import { keyFor } from './many.ts';
import type { Source } from './query.ts';

export type TracePage = RouteResponse<(typeof contract)['runs']['getRunTrace']>;
export type TraceRecord = TracePage['items'][number];

/** Shown before the rest is loaded. */
const FIRST_PAGE = 1000;

/** Records beyond would take more memory than a tab should. */
export const MAX_RECORDS = 100_000;

/** Runs started inside a run have changes of their own, which are not sent to its page. */
const POLL_MS = 10_000;

const liveFor = (id: string, isRunning: boolean) => ({
  topics: ['runs'] as const,
  run: id,
  throttleMs: 2000,
  ...(isRunning && { pollMs: POLL_MS }),
});

/** The first records of a run and of the runs inside it. */
export const traceStart = (id: string, isRunning: boolean): Source<TracePage> => ({
  ...liveFor(id, isRunning),
  key: keyFor('trace', id, isRunning),
  load: (signal) =>
    api.runs.getRunTrace({ params: { id }, query: { limit: FIRST_PAGE } }, { signal }),
});

/** The records after a cursor, as far as a tab can hold them; without a cursor, none. */
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

/** The records whose texts contain a text; without a text, none. */
export const traceSearch = (id: string, text: string): Source<FoundInTrace> => ({
  key: keyFor('search in trace', id, text),
  topics: [],
  load: (signal) =>
    text === ''
      ? Promise.resolve({ found: [], complete: true })
      : api.runs.searchRunTrace({ params: { id }, query: { text } }, { signal }),
});
