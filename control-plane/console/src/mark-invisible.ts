// Scripts in which a joiner changes the shape of adjacent letters. Between Latin letters a joiner
// has no visible effect and could only hide that two words differ.
const SCRIPTS =
  'Arab Beng Deva Gujr Guru Khmr Knda Mand Mlym Mong Mymr Nkoo Orya Sinh Syrc Taml Telu Tibt';
const anyScript = SCRIPTS.replaceAll(/\w+/g, String.raw`\p{scx=$&}`).replaceAll(' ', '');
const letter = String.raw`[[${anyScript}]&&[\p{L}\p{M}]]`;
const emoji = String.raw`\p{Extended_Pictographic}`;

// ZWNJ and ZWJ within words, and ZWJ within emoji such as a family.
const joiner = [
  String.raw`[\u200C\u200D](?<=${letter}.)(?=${letter})`,
  String.raw`\u200D(?<=(?:${emoji}\uFE0F?|\p{Emoji_Modifier}).)(?=${emoji})`,
].join('|');

// Control, format and separator characters other than tabs and line breaks. They are invisible or,
// like bidirectional overrides, reorder the surrounding text.
const invisible = String.raw`(?![\t\n]|\r\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]`;

const marked = new RegExp(`(${joiner})|${invisible}`, 'gv');

/** Replaces each character that could hide or reorder text with a marker such as `‹U+202E›`. */
export const markInvisible = (text: string): string =>
  text.replaceAll(
    marked,
    (character, kept: string | undefined) => kept ?? `‹U+${codeOf(character)}›`,
  );

const codeOf = (character: string): string =>
  (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
