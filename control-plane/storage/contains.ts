import { type RawBuilder, sql } from 'kysely';

/**
 * Does a column hold this text? `%`, `_` and `\` are text. The database lowers both sides: where it
 * lowers less than Unicode, equal text still matches.
 */
export function contains(column: string, text: string): RawBuilder<boolean> {
  const pattern = `%${text.replace(/[\\%_]/g, String.raw`\$&`)}%`;
  return sql<boolean>`lower(${sql.ref(column)}) like lower(${pattern}) escape '\\'`;
}
