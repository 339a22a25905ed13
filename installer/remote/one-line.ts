const longest = 300;

/** Text of others for a terminal: one line, without what steers it, and not endless. */
export function oneLine(text: string): string {
  const line = text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029\s]+/gu, ' ').trim();
  return line.length > longest ? `${line.slice(0, longest)}…` : line;
}
