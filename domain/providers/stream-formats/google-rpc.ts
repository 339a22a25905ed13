import { field, isObject, setMember } from '../json-fields.ts';
import { parseJson } from '../parse-json.ts';
import { readJsonValues } from './json-values.ts';

/** Keeps other sites from running the JSON as a script. */
const guard = /^\)\]\}'[,\s]*/;

export const withoutGuard = (text: string): string => text.replace(guard, '');

/** The length of each list in UTF-16 code units, on a line of its own. */
const lengthLine = /^[ \t\r]*\d+[ \t\r]*$/gm;
const firstRow = /^(?:\d+\s*)?\[\s*\[\s*"/;

/** The rows of a response have this name; others are about the request. */
const RESPONSE_ROW = 'wrb.fr';

/**
 * The responses in a body of Google's web applications (Gemini, NotebookLM): lists of rows, each
 * list with its length before it if it is streamed. A row holds the name of the procedure (null if
 * there is only one), its response as JSON text, and a number that tells apart several calls of one
 * procedure. A streamed response is repeated with more of its text. Null for other bodies. Google
 * does not document the format; facts from
 * https://github.com/HanaokaYuzu/Gemini-API/blob/092d75e/src/gemini_webapi/utils/parsing.py
 *
 * @param text the body without its guard
 */
export function joinGoogleRpc(text: string): object | null {
  if (!firstRow.test(text) || !text.includes(RESPONSE_ROW)) return null;
  const responses = new Map<string, unknown>();
  for (const row of rowsOf(text)) {
    if (!Array.isArray(row) || row[0] !== RESPONSE_ROW) continue;
    const number = field(row, 6);
    const name = [row[1], number === 'generic' ? null : number]
      .filter((word) => typeof word === 'string')
      .join(' ');
    const payload = typeof row[2] === 'string' ? (parseJson(row[2]) ?? row[2]) : row[2];
    responses.set(name, updated(responses.get(name), payload));
  }
  if (responses.size === 0) return null;
  const object = {};
  for (const [name, response] of responses) setMember(object, name || 'response', response);
  return object;
}

function rowsOf(text: string): unknown[] {
  // The text of a response is within a JSON string, so it has no line of its own.
  const lists = text.replaceAll(lengthLine, '').trimStart();
  // A single list is not streamed: the values are its rows.
  return readJsonValues(`[${lists}`).flatMap(({ data }) => data as unknown[]);
}

/** Adds a later value to a known one, in place. A later text replaces an earlier one. */
function updated(known: unknown, later: unknown): unknown {
  if (later === null || later === undefined) return known ?? null;
  if (Array.isArray(known) && Array.isArray(later))
    for (const [index, item] of later.entries()) known[index] = updated(known[index], item);
  else if (isObject(known) && isObject(later))
    for (const [name, value] of Object.entries(later))
      setMember(known, name, updated(known[name], value));
  else return later;
  return known;
}
