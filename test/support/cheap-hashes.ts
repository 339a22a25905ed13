import { vi } from 'vitest';

/**
 * Makes control planes in the process of a test hash passwords at a fraction of the real cost,
 * which is a third of a second for each start and each sign-in. Programs that tests start, and the
 * unit tests of passwords, use the real cost.
 */
vi.mock('#control-plane/identity/password/scrypt-cost.ts', () => ({
  scryptCost: { N: 2 ** 10, r: 8, p: 1 },
}));
