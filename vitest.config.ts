import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    reporters: ['default', './test/support/closing-line.ts'],
    // A guard against what never ends, not a measure: machines are slow, and busy with other things.
    testTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
    // Many tests wait for other processes, so one worker more than there are cores.
    maxWorkers: availableParallelism() + 1,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: [
            '{contract,pki,control-plane,agent,profile-builder,installer,sdk}/**/*.test.ts',
          ],
        },
      },
      {
        extends: true,
        test: {
          name: 'system',
          include: ['test/**/*.test.ts'],
          globalSetup: ['./test/support/build-programs.ts', './test/support/postgres.ts'],
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
