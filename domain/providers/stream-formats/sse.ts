import type { StreamEvent } from '../api.ts';
import { parseJson } from '../parse-json.ts';

const lineBreak = /\r\n|\n|\r/;
const firstLine = /^\uFEFF?(?::|(?:data|event|id|retry):)/;

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
    if (data.length > 0) addEvent(events, name, data.join('\n'));
    name = null;
    data = [];
  }
  const [member, value] = memberOf(rest);
  if (member === 'data') data.push(value);
  const last = data.join('\n');
  if (/^\s*\{/.test(last) && parseJson(last) !== undefined) addEvent(events, name, last);
  return events;
}

function memberOf(line: string): [member: string, value: string] {
  const colon = line.indexOf(':');
  if (colon === -1) return [line, ''];
  return [line.slice(0, colon), line.slice(line.charAt(colon + 1) === ' ' ? colon + 2 : colon + 1)];
}

/** The end marker of OpenAI and most other providers. */
const DONE = '[DONE]';

function addEvent(events: StreamEvent[], name: string | null, data: string): void {
  if (data.trim() !== DONE) events.push({ name, data: parseJson(data) ?? data });
}
