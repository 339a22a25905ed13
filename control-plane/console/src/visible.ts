// Control, format and separator characters other than tabs and line breaks: they are invisible or,
// like bidirectional overrides, reorder the surrounding text.
const invisible = /(?![\t\n]|\r\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Replaces each character that could hide or reorder text with a mark such as `‹U+202E›`. */
export const visible = (text: string): string =>
  text.replaceAll(invisible, (character) => `‹U+${codeOf(character)}›`);

const codeOf = (character: string): string =>
  (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
