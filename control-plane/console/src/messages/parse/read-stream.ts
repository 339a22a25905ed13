import { apis } from '#domain/providers/apis.ts';
import { joinByPath } from '#domain/providers/join-by-path.ts';
import { parseTruncatedJson } from '#domain/providers/parse-json.ts';
import { readJsonValues } from '#domain/providers/stream-formats/json-values.ts';
import { looksLikeSse, readSse } from '#domain/providers/stream-formats/sse.ts';
import { parseJson } from './json.ts';

export interface StreamEvent {
  name: string | null;
  data: unknown;
}

export interface Stream {
  events: readonly StreamEvent[];
  /** The answer that the events form together; null if there is none. */
  joined: object | null;
}

/** Number of events used to detect the provider. */
const DETECTION_EVENTS = 20;

/** Reads a body that is a stream: server-sent events, or consecutive JSON values. */
export function readStream(text: string): Stream | undefined {
  const events = eventsOf(text);
  if (events.length === 0) return undefined;
  const first = events.slice(0, DETECTION_EVENTS);
  const api = apis.find((api) => first.some(({ data }) => api.isResponse(data)));
  return { events, joined: api?.joinStream(events) ?? joinByPath(events) };
}

function eventsOf(text: string): StreamEvent[] {
  if (looksLikeSse(text)) return readSse(text);
  if (!/^\s*\{/.test(text) || parseJson(text) !== undefined) return [];
  const values = readJsonValues(text);
  return values.length > 1 ? values : [];
}

/** Reads truncated JSON as far as possible. */
export function readTruncatedJson(text: string): object | undefined {
  const value = parseTruncatedJson(text);
  return typeof value === 'object' && value !== null ? value : undefined;
}
