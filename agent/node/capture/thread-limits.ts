import type { ResourceLimits } from 'node:worker_threads';

/**
 * V8 lets the young generation of a busy thread grow to 64 MB, and shrinks it slowly. What these
 * threads make is short-lived: a quarter of that is collected as fast. The main thread has its limit
 * from `--max-semi-space-size`, which must be given at the start of the process.
 */
export const threadLimits: ResourceLimits = { maxYoungGenerationSizeMb: 16 };
