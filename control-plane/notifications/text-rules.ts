/** Control characters, and those that change the direction of text or are not visible. */
const invisible = /[\p{Cc}\p{Cf}\u2028\u2029]+/gu;

/** Text on one line, cut to a length. */
export function oneLine(text: string, most: number): string {
  const line = text.replace(invisible, ' ').replace(/ {2,}/g, ' ').trim();
  return cut(line, most);
}

/** Text with its line breaks, cut to a length. */
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
  // A code point is never cut in half.
  return `${Array.from(text.slice(0, most)).slice(0, -1).join('')}…`;
}
