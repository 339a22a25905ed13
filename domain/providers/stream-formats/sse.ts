import type { StreamEvent } from '../api.ts';
import { isObject } from '../json-fields.ts';
import { parseJson } from '../parse-json.ts';

const lineBreak = /\r\n|\n|\r/;
const firstLine = /^\uFEFF?(?::|(?:data|event|id|retry):|data\|["{[])/;

export const looksLikeSse = (text: string): boolean => firstLine.test(text);

/**
 * The events of a `text/event-stream` (HTML standard, section 9.2.6). An event without the final
 * blank line is dropped unless its data is complete JSON: some servers omit that line.
 */
export function readSse(text: string): StreamEvent[] {
  const events: StreamEvent[] = [];
  let name: string | null = null;
  let data: string[] = [];
  const lines = text.replace(/^\uFEFF/, '').split(lineBreak);
  const rest = lines.pop() ?? '';
  for (const line of lines) {
    if (line !== '') {
      const [member, value] = memberOf(line);
      if (member === 'data') data.push(value);
      else if (member === 'event') name = value || null;
      continue;
    }
    if (data.length > 0) addEvents(events, name, data);
    name = null;
    data = [];
  }
  const [member, value] = memberOf(rest);
  if (member === 'data') data.push(value);
  const last = data.join('\n');
  if (/^\s*[{"]/.test(last)) addEvents(events, name, data, true);
  return events;
}

/** Some web applications write `data|` instead of `data:`. */
const BAR = 'data|';

function memberOf(line: string): [member: string, value: string] {
  const colon = line.startsWith(BAR) ? BAR.length - 1 : line.indexOf(':');
  if (colon === -1) return [line, ''];
  return [line.slice(0, colon), line.slice(line.charAt(colon + 1) === ' ' ? colon + 2 : colon + 1)];
}

/** The end marker of OpenAI and most other providers. */
const DONE = '[DONE]';

/**
 * Adds the event of these lines. Some servers omit the blank lines: if the lines are not JSON
 * together, but each of them is, or is the end marker, each is an event.
 *
 * @param onlyJson drops data that is not JSON, because its end may be missing
 */
function addEvents(
  events: StreamEvent[],
  name: string | null,
  lines: readonly string[],
  onlyJson = false,
): void {
  const text = lines.join('\n');
  if (text.trim() === DONE) return;
  const whole = parseJson(text);
  if (whole === undefined && lines.length > 1 && /^\s*["{]/.test(text)) {
    const pieces = lines.filter((line) => line.trim() !== DONE).map(parseJson);
    if (pieces.at(-1) === undefined && onlyJson) pieces.pop();
    if (pieces.every(isPiece)) {
      for (const data of pieces) events.push({ name, data });
      return;
    }
  }
  if (whole !== undefined || !onlyJson) events.push({ name, data: whole ?? text });
}

const isPiece = (value: unknown): boolean => typeof value === 'string' || isObject(value);
