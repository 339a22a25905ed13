import type { ScryptOptions } from 'node:crypto';

/** OWASP's minimum recommended scrypt cost: 128 MiB for each hash. */
export const scryptCost: ScryptOptions = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 };
