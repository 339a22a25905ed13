import { sql } from 'kysely';

/**
 * Longer runs are few and have indexes of their own: a query for runs active at a time searches
 * those that began shortly before, and these. Part of the schema, because the indexes contain it.
 */
export const LONG_RUN_MS = 3_600_000;

/** Must match the index expression, so that the index is used. */
export const isLongRun = sql<boolean>`completed_at - started_at > ${sql.lit(LONG_RUN_MS)}`;
