/**
 * The source of a pattern for what diffs, quoted mails and numbered listings put before each line of
 * a text: `+`, `> `, `  12\t`, `12: `.
 */
export const LINE_MARK = String.raw`(?:[+-]|>|[ \t]{0,8}\d{1,6}(?:[\t:|]|\u2192))`;
