import { parseJson } from './parse-json.ts';

/** Members of a known API whose strings arrive whole: ids, names, states. */
const arrivesWhole =
  /(?:^id|_id|Id)$|^(?:object|type|kind|role|model|modelVersion|name|status|service_tier|system_fingerprint|(?:finish|stop)(?:_r|R)eason)$/;

/** Members that contain arbitrary member names: the arguments of a tool. */
const holdsAnything = /^(?:input|args|arguments|parameters)$/;

/** What is known about a truncated text. */
export interface Cut {
  /** The API is known, so its members with whole strings are known too. */
  isKnownApi: boolean;
  /** The text continues an earlier one, so its first word may be the rest of a truncated word. */
  isContinued?: boolean;
}

/**
 * Removes the words from a truncated text that may be incomplete. A key without its last characters
 * is almost as secret as the whole key, but no rule recognizes its format, and some secrets are
 * only identified by the text after them. In a response that was joined from events, every string
 * that was still growing may be incomplete.
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

/** Longer than any card number, account number or national id with blanks between its groups. */
const LONGEST_NUMBER = 50;

/** Removes the text after the last blank or quote, and the groups of digits before that. */
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

/** Includes the characters of Chinese, Japanese and Korean, which are written without blanks. */
const boundary = /[\s"'\u3000-\u9fff\uac00-\ud7af\uff00-\uff0f\uff1a-\uff20\uff5b-\uffef]/;

function startOfWord(text: string, end: number): number {
  let start = end;
  while (start > 0 && !boundary.test(text.charAt(start - 1)) && !endsBlank(text, start)) start -= 1;
  return start;
}

/**
 * Whether a blank that is escaped as in JSON, such as `
 * `, ends at `end`. Other escapes may be part of a secret.
 */
function endsBlank(text: string, end: number): boolean {
  if (!/[nrtbf]/.test(text.charAt(end - 1))) return false;
  let backslashes = 0;
  while (text.charAt(end - 2 - backslashes) === '\\') backslashes += 1;
  return backslashes % 2 === 1;
}
