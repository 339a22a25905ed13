/**
 * Escapes text for output: names come from untrusted packages and folders, and terminals execute
 * control characters. These, line breaks and bidirectional marks are shown as escapes.
 */
export function printable(text: string): string {
  return text.replaceAll(
    /[\p{Cc}\p{Cf}\u2028\u2029]/gu,
    (character) => `\\u{${(character.codePointAt(0) as number).toString(16)}}`,
  );
}
