import { type RawBuilder, sql } from 'kysely';

/**
 * Whether a column contains this text, ignoring case. `%`, `_` and `\` are literal. Databases may
 * lower only the letters A to Z, so other letters of the text are lowered one by one.
 */
export function contains(column: string, text: string): RawBuilder<boolean> {
  const letters = nonAsciiLetters(text);
  const lowered = letters.reduce<RawBuilder<unknown>>(
    (value, { lower, upper }) => sql`replace(${value}, ${upper}, ${lower})`,
    sql.ref(column),
  );
  const needle = letters.reduce((all, { lower, upper }) => all.replaceAll(upper, lower), text);
  return sql<boolean>`lower(${lowered}) like lower(${around(needle)}) escape '\\'`;
}

/**
 * The most letters that are lowered one by one. No alphabet has more, and each costs another pass
 * over the searched data.
 */
const MAX_LETTERS = 64;

/** Non-ASCII letters with two cases of one character each. */
function nonAsciiLetters(text: string): { lower: string; upper: string }[] {
  const lowers = new Set(Array.from(text, (letter) => letter.toLowerCase()));
  return [...lowers]
    .map((lower) => ({ lower, upper: lower.toUpperCase() }))
    .filter(({ lower, upper }) => isNonAscii(lower) && isNonAscii(upper))
    .filter(({ lower, upper }) => upper !== lower && upper.toLowerCase() === lower)
    .slice(0, MAX_LETTERS);
}

const isNonAscii = (letter: string): boolean =>
  Array.from(letter).length === 1 && (letter.codePointAt(0) ?? 0) > 127;

/**
 * A prefilter for large texts, like `contains`, but SQLite ignores the case of ASCII letters only.
 */
export const mentions = (column: string, text: string): RawBuilder<boolean> =>
  sql<boolean>`${sql.ref(column)} like ${around(text)} escape '\\'`;

const around = (text: string): string => `%${text.replace(/[\\%_]/g, String.raw`\$&`)}%`;
