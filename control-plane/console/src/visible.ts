// Tabs and line breaks show as white space. All others of these take no room or, like the
// bidirectional overrides, change the order of what stands around them.
const unseen = /(?![\t\n]|\r\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** The text with a mark such as `‹U+202E›` for each character that could hide or reorder it. */
export const visible = (text: string): string =>
  text.replaceAll(unseen, (character) => `‹U+${codeOf(character)}›`);

const codeOf = (character: string): string =>
  (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
