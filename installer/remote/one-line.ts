const longest = 300;

/**
 * Makes untrusted text safe for a terminal: one line of bounded length, without control characters.
 */
export function oneLine(text: string): string {
  const printable = text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029\s]+/gu, ' ').trim();
  return printable.length > longest ? `${printable.slice(0, longest)}…` : printable;
}
