/**
 * Matches control characters, and characters that are invisible or change the direction of text.
 */
const invisible = /[\p{Cc}\p{Cf}\u2028\u2029]+/gu;

/** Puts text on one line and cuts it to a length. */
export function oneLine(text: string, most: number): string {
  const line = text.replace(invisible, ' ').replace(/ {2,}/g, ' ').trim();
  return cut(line, most);
}

/** Cleans text but keeps its line breaks, and cuts it to a length. */
export const cleanText = (text: string, most: number): string =>
  cut(
    text
      .split('\n')
      .map((line) => line.replace(invisible, ' '))
      .join('\n')
      .trim(),
    most,
  );

function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  // A code point must not be cut in half.
  return `${Array.from(text.slice(0, most)).slice(0, -1).join('')}…`;
}
