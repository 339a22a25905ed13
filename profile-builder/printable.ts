/**
 * A line as it may be printed: names come from anyone, out of a package or a folder, and a terminal
 * obeys control characters. Those, line ends and marks that turn the direction of text are shown as
 * code.
 */
export function printable(line: string): string {
  return line.replaceAll(
    /[\p{Cc}\p{Cf}\u2028\u2029]/gu,
    (character) => `\\u{${(character.codePointAt(0) as number).toString(16)}}`,
  );
}
