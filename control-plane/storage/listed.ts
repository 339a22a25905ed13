import { type RawBuilder, sql } from 'kysely';

/**
 * Maximum bytes of a column in a list; longer values are read individually, which bounds the size
 * of lists.
 */
export const LISTED_BYTES = 10_000;
const SHOWN_CHARACTERS = 200;

/** Both databases know the byte length of a text without reading it. */
const isLong = (column: string): RawBuilder<boolean> =>
  sql<boolean>`octet_length(${sql.ref(column)}) > ${sql.lit(LISTED_BYTES)}`;

/** The start of a text, cut at a character: both databases count characters. */
export const beginningOf = (column: string): RawBuilder<string> =>
  sql<string>`substr(${sql.ref(column)}, 1, ${sql.lit(SHOWN_CHARACTERS)})`;

/** A text, in full while it is short. */
export const listedText = (column: string): RawBuilder<string | null> =>
  sql`case when ${isLong(column)} then ${beginningOf(column)} else ${sql.ref(column)} end`;

/** JSON, in full while it is short; truncated JSON would be invalid, so longer values are null. */
export const listedJson = (column: string): RawBuilder<string | null> =>
  sql`case when ${isLong(column)} then null else ${sql.ref(column)} end`;

/** 1 if a list truncates one of these columns. */
export const truncated = (...columns: readonly string[]): RawBuilder<number> =>
  sql`case when ${sql.join(columns.map(isLong), sql` or `)} then 1 else 0 end`;
