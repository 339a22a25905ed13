import { parseJson } from './parse-json.ts';

/** Members of a known API whose strings are never split: ids, names, states. */
const neverSplit =
  /(?:^id|_id|Id)$|^(?:object|type|kind|role|model|modelVersion|name|status|service_tier|system_fingerprint|(?:finish|stop)(?:_r|R)eason)$/;

/** Members that contain arbitrary member names: the arguments of a tool. */
const freeFormMembers = /^(?:input|args|arguments|parameters)$/;

/** What is known about a truncated text. */
export interface Truncation {
  /** The API is known, so the members whose strings are never split are known too. */
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
export function removeTruncatedWords(text: string, truncation: Truncation): string {
  const value = parseJson(text);
  const isJson = typeof value === 'string' || (typeof value === 'object' && value !== null);
  return isJson ? JSON.stringify(trimStrings(value, truncation)) : trimText(text, truncation);
}

function trimStrings(value: unknown, truncation: Truncation, member = ''): unknown {
  if (typeof value === 'string')
    return truncation.isKnownApi && neverSplit.test(member) ? value : trimText(value, truncation);
  if (Array.isArray(value)) return value.map((inner) => trimStrings(inner, truncation, member));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const innerTruncation = freeFormMembers.test(name)
        ? { ...truncation, isKnownApi: false }
        : truncation;
      return [name, trimStrings(inner, innerTruncation, name)];
    }),
  );
}

const trimText = (text: string, { isContinued }: Truncation): string =>
  withoutLastWord(isContinued ? withoutFirstWord(text) : text);

function withoutFirstWord(text: string): string {
  const end = text.search(boundary);
  return end === -1 ? '' : text.slice(end);
}

/** Longer than any card number, account number or national id with blanks between its groups. */
const MAX_NUMBER_LENGTH = 50;

/** Removes the text after the last blank or quote, and the groups of digits before that. */
function withoutLastWord(text: string): string {
  let end = startOfWord(text, text.length);
  while (text.length - end < MAX_NUMBER_LENGTH) {
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
 * Whether a blank that is escaped as in JSON, such as `\n`, ends at `end`. Other escapes may be part of a secret.
 */
function endsBlank(text: string, end: number): boolean {
  if (!/[nrtbf]/.test(text.charAt(end - 1))) return false;
  let backslashes = 0;
  while (text.charAt(end - 2 - backslashes) === '\\') backslashes += 1;
  return backslashes % 2 === 1;
}
