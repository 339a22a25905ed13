const [QUOTE, BACKSLASH] = ['"', '\\'].map((char) => char.charCodeAt(0));
const [OPEN_LIST, CLOSE_LIST] = ['[', ']'].map((char) => char.charCodeAt(0));
const [OPEN_OBJECT, CLOSE_OBJECT] = ['{', '}'].map((char) => char.charCodeAt(0));

/**
 * Whether JSON text has at most this number of lists and objects around any value. The text is not
 * parsed: V8 needs seconds for millions of nested lists.
 */
export function isNestedWithin(text: string, levels: number): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === OPEN_LIST || code === OPEN_OBJECT) depth += 1;
    else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth -= 1;
    if (depth > levels) return false;
  }
  return true;
}

/** The position of the quote that ends a string; the end of the text if none does. */
function endOfString(text: string, start: number): number {
  let end = start;
  do end = text.indexOf('"', end + 1);
  while (end !== -1 && isEscaped(text, end));
  return end === -1 ? text.length : end;
}

/** Whether an odd number of backslashes precedes the position. */
function isEscaped(text: string, at: number): boolean {
  let start = at;
  while (text.charCodeAt(start - 1) === BACKSLASH) start -= 1;
  return (at - start) % 2 === 1;
}
