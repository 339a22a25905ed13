import { vi } from 'vitest';

/**
 * Control planes inside a test's process hash passwords at a fraction of the cost: at the real one,
 * each start and each sign-in takes a third of a second of processor time. Programs that tests start,
 * and the tests of passwords beside their code, hash at the real cost.
 */
vi.mock('#control-plane/identity/password/scrypt-cost.ts', () => ({
  scryptCost: { N: 2 ** 10, r: 8, p: 1 },
}));
