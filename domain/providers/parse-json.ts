/**
 * The same limit as in redaction. It is far deeper than any real value, and safe for recursive
 * code.
 */
const MAX_DEPTH = 200;

/** Parses JSON. Returns undefined for text that is not JSON or is nested too deep. */
export function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return text.length < 2 * MAX_DEPTH || isShallow(value, MAX_DEPTH) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Whether the text is JSON that `parseJson` rejects because it is nested too deep. */
export function isNestedTooDeep(text: string): boolean {
  try {
    return !isShallow(JSON.parse(text), MAX_DEPTH);
  } catch {
    return false;
  }
}

function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((inner) => isShallow(inner, levels - 1));
}

/** Parses JSON text, or the part before the cut if it is truncated. */
export function parseTruncatedJson(text: string): unknown {
  const value = parseJson(text);
  if (value !== undefined) return value;
  const closed = closedText(text);
  return closed === undefined ? undefined : parseJson(closed);
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
