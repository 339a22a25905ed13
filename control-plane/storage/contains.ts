import { type RawBuilder, sql } from 'kysely';

/**
 * Does a column hold this text, in any case? `%`, `_` and `\` are text. Databases may lower the
 * letters A to Z alone: the others that the text has are lowered one by one.
 */
export function contains(column: string, text: string): RawBuilder<boolean> {
  const letters = nonAsciiLetters(text);
  const lowered = letters.reduce<RawBuilder<unknown>>(
    (value, { lower, upper }) => sql`replace(${value}, ${upper}, ${lower})`,
    sql.ref(column),
  );
  const wanted = letters.reduce((all, { lower, upper }) => all.replaceAll(upper, lower), text);
  return sql<boolean>`lower(${lowered}) like lower(${around(wanted)}) escape '\\'`;
}

/** No alphabet has more; each is one more look through all that is searched. */
const MOST_LETTERS = 64;

/** The letters beyond A to Z that have two cases, each of one character. */
function nonAsciiLetters(text: string): { lower: string; upper: string }[] {
  const lowers = new Set(Array.from(text, (letter) => letter.toLowerCase()));
  return [...lowers]
    .map((lower) => ({ lower, upper: lower.toUpperCase() }))
    .filter(({ lower, upper }) => isNonAscii(lower) && isNonAscii(upper))
    .filter(({ lower, upper }) => upper !== lower && upper.toLowerCase() === lower)
    .slice(0, MOST_LETTERS);
}

const isNonAscii = (letter: string): boolean =>
  Array.from(letter).length === 1 && (letter.codePointAt(0) ?? 0) > 127;

/** The same for large texts, where only a first look is wanted: SQLite ignores the case of ASCII. */
export const mentions = (column: string, text: string): RawBuilder<boolean> =>
  sql<boolean>`${sql.ref(column)} like ${around(text)} escape '\\'`;

const around = (text: string): string => `%${text.replace(/[\\%_]/g, String.raw`\$&`)}%`;
