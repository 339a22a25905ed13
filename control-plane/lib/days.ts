export const DAY_MS = 24 * 3_600_000;

/** Days since 1970, UTC. */
export const dayOf = (now: number): number => Math.floor(now / DAY_MS);
