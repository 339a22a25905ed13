import { parseJson } from './parse-json.ts';

/** Members whose strings arrive whole: ids, names of things, states. All others may still grow. */
const arrivesWhole =
  /(?:^id|_id|Id)$|^(?:object|type|kind|role|model|modelVersion|name|status|service_tier|system_fingerprint|\w*[rR]eason)$/;

/**
 * A text that was cut off, without the words that may be unfinished. A key without its last
 * characters is almost as secret as all of it, but has no format that a rule recognizes; and for
 * some secrets only what follows shows what they are. In the response that joined events form, every
 * string may be unfinished that was still growing.
 */
export function withoutCutWords(text: string): string {
  const value = parseJson(text);
  if (typeof value !== 'object' || value === null) return withoutLastWord(text);
  return JSON.stringify(value, (name, inner: unknown) =>
    typeof inner === 'string' && !arrivesWhole.test(name) ? withoutLastWord(inner) : inner,
  );
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

const isBoundary = (character: string): boolean => /[\s"'\\]/.test(character);

function startOfWord(text: string, end: number): number {
  let start = end;
  while (start > 0 && !isBoundary(text.charAt(start - 1))) start -= 1;
  return start;
}
