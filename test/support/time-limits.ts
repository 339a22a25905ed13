/**
 * The longest time that a test waits for an event. On an idle machine events take seconds; the
 * limit suffices for one that is ten times as busy.
 */
export const PATIENCE_MS = 120_000;

/** The limit of a whole test or hook, which may wait several times. */
export const TEST_LIMIT_MS = 5 * PATIENCE_MS;
