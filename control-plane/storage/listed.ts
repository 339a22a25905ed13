import { type RawBuilder, sql } from 'kysely';

/** In a list a column shows this much; what is longer is read one by one, so that no list is large. */
export const LISTED_BYTES = 10_000;
const SHOWN_CHARACTERS = 200;

/** Both databases know how many bytes a text has without reading it. */
const isLong = (column: string): RawBuilder<boolean> =>
  sql<boolean>`octet_length(${sql.ref(column)}) > ${sql.lit(LISTED_BYTES)}`;

/** The start of a text; both databases count characters, so none is cut in two. */
export const beginningOf = (column: string): RawBuilder<string> =>
  sql<string>`substr(${sql.ref(column)}, 1, ${sql.lit(SHOWN_CHARACTERS)})`;

/** A text, whole while it is short. */
export const listedText = (column: string): RawBuilder<string | null> =>
  sql`case when ${isLong(column)} then ${beginningOf(column)} else ${sql.ref(column)} end`;

/** JSON, whole while it is short; cut in the middle it would be none, so a longer one is null. */
export const listedJson = (column: string): RawBuilder<string | null> =>
  sql`case when ${isLong(column)} then null else ${sql.ref(column)} end`;

/** 1 where a list does not show all that one of these columns holds. */
export const truncated = (...columns: readonly string[]): RawBuilder<number> =>
  sql`case when ${sql.join(columns.map(isLong), sql` or `)} then 1 else 0 end`;
