import { parseJson } from './parse-json.ts';

/** Members of a known API whose strings arrive whole: ids, names of things, states. */
const arrivesWhole =
  /(?:^id|_id|Id)$|^(?:object|type|kind|role|model|modelVersion|name|status|service_tier|system_fingerprint|(?:finish|stop)(?:_r|R)eason)$/;

/** Members whose content has names of its own: the arguments of a tool. */
const holdsAnything = /^(?:input|args|arguments|parameters)$/;

/** Where a text was cut, and what it belongs to. */
export interface Cut {
  /** The API is known, and with it the members whose strings are whole. */
  isKnownApi: boolean;
  /** The text goes on from an earlier part, so its first words may be the rest of a cut one. */
  isContinued?: boolean;
}

/**
 * A text that was cut off, without the words that may be unfinished. A key without its last
 * characters is almost as secret as all of it, but has no format that a rule recognizes; and for
 * some secrets only what follows shows what they are. In the response that joined events form, every
 * string may be unfinished that was still growing.
 */
export function withoutCutWords(text: string, cut: Cut): string {
  const value = parseJson(text);
  const isJson = typeof value === 'string' || (typeof value === 'object' && value !== null);
  return isJson ? JSON.stringify(withoutCutStrings(value, cut)) : withoutCut(text, cut);
}

function withoutCutStrings(value: unknown, cut: Cut, member = ''): unknown {
  if (typeof value === 'string')
    return cut.isKnownApi && arrivesWhole.test(member) ? value : withoutCut(value, cut);
  if (Array.isArray(value)) return value.map((inner) => withoutCutStrings(inner, cut, member));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const of = holdsAnything.test(name) ? { ...cut, isKnownApi: false } : cut;
      return [name, withoutCutStrings(inner, of, name)];
    }),
  );
}

const withoutCut = (text: string, { isContinued }: Cut): string =>
  withoutLastWord(isContinued ? withoutFirstWord(text) : text);

function withoutFirstWord(text: string): string {
  const end = text.search(boundary);
  return end === -1 ? '' : text.slice(end);
}

/** Cards, account numbers and national ids are shorter, with the blanks between their groups. */
const LONGEST_NUMBER = 50;

/** Without what follows the last blank or quote, and without the groups of digits before that. */
function withoutLastWord(text: string): string {
  let end = startOfWord(text, text.length);
  while (text.length - end < LONGEST_NUMBER) {
    const before = text.slice(0, end).trimEnd().length;
    const start = startOfWord(text, before);
    if (!/\d/.test(text.slice(start, before))) break;
    end = start;
  }
  return text.slice(0, end);
}

/** Chinese, Japanese and Korean are written without blanks. */
const boundary = /[\s"'\u3000-\u9fff\uac00-\ud7af\uff00-\uff0f\uff1a-\uff20\uff5b-\uffef]/;

function startOfWord(text: string, end: number): number {
  let start = end;
  while (start > 0 && !boundary.test(text.charAt(start - 1)) && !endsBlank(text, start)) start -= 1;
  return start;
}

/** Whether a blank ends there that is escaped as in JSON, such as `\n`. Other escapes may be in a secret. */
function endsBlank(text: string, end: number): boolean {
  if (!/[nrtbf]/.test(text.charAt(end - 1))) return false;
  let backslashes = 0;
  while (text.charAt(end - 2 - backslashes) === '\\') backslashes += 1;
  return backslashes % 2 === 1;
}
