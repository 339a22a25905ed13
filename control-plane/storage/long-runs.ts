import { sql } from 'kysely';

/**
 * The duration above which a run is long. Long runs are few and have their own indexes: a query for
 * the runs that were active at a time reads the runs that began shortly before it and the long
 * ones. The value is part of the schema, because the indexes contain it.
 */
export const LONG_RUN_MS = 3_600_000;

/** Whether a run is long. Must match the index expression, so that the index is used. */
export const isLongRun = sql<boolean>`completed_at - started_at > ${sql.lit(LONG_RUN_MS)}`;
