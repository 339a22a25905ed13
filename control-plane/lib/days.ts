import { DAY_MS } from '#lib/time-units.ts';

/** Days since 1970, UTC. */
export const dayOf = (now: number): number => Math.floor(now / DAY_MS);
