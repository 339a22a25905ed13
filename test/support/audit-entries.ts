import fc from 'fast-check';

export const DAY_MS = 86_400_000;
export const EPOCH = Date.UTC(2026, 0, 1);

export const isoOf = (ms: number) => new Date(ms).toISOString();

export const actors = ['user', 'agent', 'system'] as const;
export const actions = ['policy.create', 'policy.update', 'prompt.create', 'user.sign_in'];

export const moment = fc.oneof(
  fc.integer({ min: 0, max: 6 * DAY_MS }),
  fc.integer({ min: 0, max: 6 }).map((day) => day * DAY_MS),
);

const entry = fc.record({
  actor_type: fc.constantFrom(...actors),
  action: fc.constantFrom(...actions),
  created_at: moment.map((at) => EPOCH + at),
});

/** Samples entries of six days; each call returns the same ones. */
export const sampleEntries = (numRuns: number) => fc.sample(entry, { numRuns, seed: 7 });
