/**
 * How long a test waits for what must come, at most: a guard against what never comes. On an idle
 * machine everything comes within seconds; on one that is ten times as busy it still comes.
 */
export const PATIENCE_MS = 120_000;

/** Of a whole test or hook, which may wait several times. */
export const TEST_LIMIT_MS = 5 * PATIENCE_MS;
