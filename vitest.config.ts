import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { messagesPlugin } from './control-plane/console/messages-plugin.ts';
import { PATIENCE_MS, TEST_LIMIT_MS } from './test/support/time-limits.ts';
import { namesToRun, toolTags } from './test/support/tools.ts';

export default defineConfig({
  // Tests import modules of the console.
  plugins: [messagesPlugin()],
  test: {
    reporters: ['default', './test/support/summary-reporter.ts'],
    testTimeout: TEST_LIMIT_MS,
    hookTimeout: TEST_LIMIT_MS,
    expect: { poll: { timeout: PATIENCE_MS } },
    // Shows the log of a test only if it fails.
    silent: 'passed-only',
    tags: toolTags,
    testNamePattern: namesToRun,
    globalSetup: ['./test/support/require-tools.ts'],
    setupFiles: ['./test/support/setup.ts'],
    // Many tests wait for other processes, so one worker more than there are cores.
    maxWorkers: availableParallelism() + 1,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: [
            '{contract,domain,lib,pki,control-plane,agent,profile-builder,installer,sdk}/**/*.test.ts',
          ],
        },
      },
      {
        extends: true,
        test: {
          name: 'system',
          include: ['test/**/*.test.ts'],
          setupFiles: ['./test/support/no-held-transactions.ts', './test/support/cheap-hashes.ts'],
          globalSetup: [
            '#test/support/processes.ts',
            './test/support/build-console.ts',
            './test/support/postgres.ts',
          ],
        },
      },
    ],
  },
});
