/**
 * The same limit as in redaction. It is far deeper than any real value, and safe for recursive
 * code.
 */
const MAX_DEPTH = 200;

/**
 * Parses JSON. Returns undefined for text that is not JSON or is nested too deep. `NaN` and
 * `Infinity` become null.
 */
export function parseJson(text: string): unknown {
  const value = parseAny(text);
  return text.length < 2 * MAX_DEPTH || isShallow(value, MAX_DEPTH) ? value : undefined;
}

function parseAny(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return parseOrUndefined(withoutSpecialNumbers(text));
  }
}

function parseOrUndefined(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

const specialNumber = /-?\b(?:NaN|Infinity)\b/g;

/**
 * Python's parser writes and reads special numbers, which JSON does not have (RFC 8259, 6). Returns
 * undefined if the text has none outside of strings.
 */
function withoutSpecialNumbers(text: string): string | undefined {
  if (!/NaN|Infinity/.test(text)) return undefined;
  let result = '';
  let from = 0;
  while (from < text.length) {
    const quote = text.indexOf('"', from);
    const next = quote === -1 ? text.length : quote;
    result += text.slice(from, next).replace(specialNumber, 'null');
    const end = quote === -1 ? -1 : endOfString(text, quote);
    from = end === -1 ? text.length : end;
    result += text.slice(next, from);
  }
  return result === text ? undefined : result;
}

/** Whether the text is JSON that `parseJson` rejects because it is nested too deep. */
export const isNestedTooDeep = (text: string): boolean => !isShallow(parseAny(text), MAX_DEPTH);

function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((inner) => isShallow(inner, levels - 1));
}

/**
 * Parses JSON text, or the part before the cut if it is truncated. What is nested too deep is left
 * out.
 */
export function parseTruncatedJson(text: string): unknown {
  const value = parseAny(text);
  if (value !== undefined) return withoutDepth(value);
  const closed = closedText(withoutSpecialNumbers(text) ?? text);
  return closed === undefined ? undefined : withoutDepth(parseOrUndefined(closed));
}

const withoutDepth = (value: unknown): unknown =>
  isShallow(value, MAX_DEPTH) ? value : cutAt(value, MAX_DEPTH);

function cutAt(value: unknown, levels: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (levels === 0) return null;
  if (Array.isArray(value)) return value.map((inner) => cutAt(inner, levels - 1));
  const members = Object.entries(value).map(([name, inner]) => [name, cutAt(inner, levels - 1)]);
  return Object.fromEntries(members);
}

/** The index after the closing quote of a string that starts at `start`; -1 if it is truncated. */
export function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '"') return at + 1;
    if (character === '\\') at += 1;
  }
  return -1;
}

const blank = /\s*/y;
const scalar = /(?:true|false|null|-?\d[-+.\deE]*)(?=[\s,\]}])/y;
const truncatedEscape = /\\(?:u[\da-fA-F]{0,3})?$/;

const closerOf: Readonly<Record<string, string>> = { '{': '}', '[': ']' };

/**
 * The text up to its last complete value, or up to the cut inside a string, with all open brackets
 * closed.
 */
function closedText(text: string): string | undefined {
  const closers: string[] = [];
  let isName = false;
  let end = 0;
  const closed = (beginning: string): string => beginning + closers.reverse().join('');

  for (let at = endOf(blank, text, 0); at < text.length; at = endOf(blank, text, at)) {
    const character = text.charAt(at);
    if (character === ',' || character === ':') {
      isName = character === ',' && closers.at(-1) === '}';
      at += 1;
      continue;
    }
    if (character === '"') {
      const next = endOfString(text, at);
      if (next === -1) return closed(isName ? text.slice(0, end) : closeString(text));
      at = next;
      if (isName) continue;
    } else if (closerOf[character]) {
      closers.push(closerOf[character]);
      isName = character === '{';
      at += 1;
    } else if (character === closers.at(-1)) {
      closers.pop();
      at += 1;
    } else {
      const next = endOf(scalar, text, at);
      if (next === at) break;
      at = next;
    }
    end = at;
    if (closers.length === 0) break;
  }
  return end > 0 ? closed(text.slice(0, end)) : undefined;
}

function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return at + (pattern.exec(text)?.[0].length ?? 0);
}

/** Drops an incomplete escape sequence at the end. */
function closeString(text: string): string {
  const escape = truncatedEscape.exec(text.slice(-6));
  if (!escape) return `${text}"`;
  const backslash = text.length - escape[0].length;
  let first = backslash;
  while (text.charAt(first - 1) === '\\') first -= 1;
  return (backslash - first) % 2 === 0 ? `${text.slice(0, backslash)}"` : `${text}"`;
}
