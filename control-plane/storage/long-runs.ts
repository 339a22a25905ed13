import { sql } from 'kysely';

/**
 * Runs that take longer than this are few, and have indexes of their own: who looks for what went on
 * at a time looks among those that began shortly before, and among these. Part of the schema, as it
 * stands in the indexes.
 */
export const LONG_RUN_MS = 3_600_000;

/** Written as in the indexes, so that they are used. */
export const isLongRun = sql<boolean>`completed_at - started_at > ${sql.lit(LONG_RUN_MS)}`;
