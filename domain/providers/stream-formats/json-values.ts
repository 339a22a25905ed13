import type { StreamEvent } from '../api.ts';
import { endOfString, parseJson } from '../parse-json.ts';

/** Separators. RFC 7464 starts each text with RS. */
const BETWEEN = ' \n\r\t,\u001E\uFEFF';
const structure = /["[\]{}]/g;

/**
 * The objects and lists in text that contains several in sequence, one per line (NDJSON) or not, or
 * the items of one streamed list. A truncated value is dropped.
 *
 * @param most the maximum number of values
 */
export function readJsonValues(text: string, most = Infinity): StreamEvent[] {
  const events: StreamEvent[] = [];
  let at = afterBetween(text, 0);
  if (text.charAt(at) === '[') at = afterBetween(text, at + 1);
  while (events.length < most && (text.charAt(at) === '{' || text.charAt(at) === '[')) {
    const end = endOfValue(text, at);
    if (end === -1) break;
    const data = parseJson(text.slice(at, end));
    if (data !== undefined) events.push({ name: null, data });
    at = afterBetween(text, end);
  }
  return events;
}

function afterBetween(text: string, start: number): number {
  let at = start;
  while (at < text.length && BETWEEN.includes(text.charAt(at))) at += 1;
  return at;
}

function endOfValue(text: string, start: number): number {
  let depth = 0;
  let at = start;
  do {
    structure.lastIndex = at;
    const mark = structure.exec(text);
    if (!mark) return -1;
    at = mark.index + 1;
    if (mark[0] === '"') at = endOfString(text, mark.index);
    else depth += mark[0] === '{' || mark[0] === '[' ? 1 : -1;
    if (at === -1) return -1;
  } while (depth > 0);
  return at;
}
