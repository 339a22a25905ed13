import { type RawBuilder, sql } from 'kysely';

/**
 * Does a column hold this text? `%`, `_` and `\` are text. The database lowers both sides: where it
 * lowers less than Unicode, equal text still matches.
 */
export const contains = (column: string, text: string): RawBuilder<boolean> =>
  sql<boolean>`lower(${sql.ref(column)}) like lower(${around(text)}) escape '\\'`;

/** The same for large texts, where only a first look is wanted: SQLite ignores the case of ASCII. */
export const mentions = (column: string, text: string): RawBuilder<boolean> =>
  sql<boolean>`${sql.ref(column)} like ${around(text)} escape '\\'`;

const around = (text: string): string => `%${text.replace(/[\\%_]/g, String.raw`\$&`)}%`;
