import { type RawBuilder, sql } from 'kysely';

/**
 * The maximum size of a column in a list, in bytes. Longer values are truncated, which bounds the
 * size of lists.
 */
export const LISTED_BYTES = 10_000;
const SHOWN_CHARACTERS = 200;

/**
 * Whether a column is longer than that. Both databases know the byte length of a text without
 * reading it.
 */
const isLong = (column: string): RawBuilder<boolean> =>
  sql<boolean>`octet_length(${sql.ref(column)}) > ${sql.lit(LISTED_BYTES)}`;

/** The first characters of a text; both databases count characters. */
export const firstCharacters = (column: string): RawBuilder<string> =>
  sql<string>`substr(${sql.ref(column)}, 1, ${sql.lit(SHOWN_CHARACTERS)})`;

/** A text, truncated if it is long. */
export const truncatedText = (column: string): RawBuilder<string | null> =>
  sql`case when ${isLong(column)} then ${firstCharacters(column)} else ${sql.ref(column)} end`;

/** JSON, or null if it is long: truncated JSON would be invalid. */
export const jsonUnlessLong = (column: string): RawBuilder<string | null> =>
  sql`case when ${isLong(column)} then null else ${sql.ref(column)} end`;

/** 1 if a list truncates one of these columns. */
export const isTruncated = (...columns: readonly string[]): RawBuilder<number> =>
  sql`case when ${sql.join(columns.map(isLong), sql` or `)} then 1 else 0 end`;
