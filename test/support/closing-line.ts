import type { Reporter, TestModule, TestRunEndReason } from 'vitest/node';

/** Prints the true totals as the last line: `N passed, N failed`. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(
    modules: readonly TestModule[],
    unhandled: readonly unknown[],
    reason: TestRunEndReason,
  ): void {
    const total = { passed: 0, failed: unhandled.length, skipped: 0, pending: 0 };
    for (const module of modules) {
      const before = total.failed;
      for (const test of module.children.allTests()) total[test.result().state] += 1;
      // A file that does not even load has no tests to count.
      if (module.state() === 'failed' && total.failed === before) total.failed += 1;
    }
    // A setup that fails has no tests either, and yet the run did.
    if (reason === 'failed' && total.failed === 0) total.failed = 1;
    const skipped = total.skipped + total.pending;
    const line = `${total.passed} passed, ${total.failed} failed`;
    process.once('exit', () =>
      process.stdout.write(`\n${line}${skipped ? `, ${skipped} skipped` : ''}\n`),
    );
  }
}
