import type { Reporter, TestCase, TestModule, TestRunEndReason } from 'vitest/node';
import { missingTools } from './tools.ts';

/** Prints which tests were skipped for which tool, and the totals as the last line. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(
    modules: readonly TestModule[],
    unhandled: readonly unknown[],
    reason: TestRunEndReason,
  ): void {
    const total = { passed: 0, failed: unhandled.length, skipped: 0, pending: 0 };
    const skipped: TestCase[] = [];
    for (const module of modules) {
      const before = total.failed;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        total[state] += 1;
        if (state === 'skipped') skipped.push(test);
      }
      // A file that fails to load has no tests.
      if (module.state() === 'failed' && total.failed === before) total.failed += 1;
    }
    // A setup that fails has no tests, but the run has failed.
    if (reason === 'failed' && total.failed === 0) total.failed = 1;
    const lines = missingTools.flatMap(({ name, remedy, neededBy }) => {
      const count = skipped.filter((test) =>
        neededBy({ fullName: test.fullName, tags: test.tags }),
      ).length;
      return count > 0 ? [`without ${name}, ${count} tests were skipped (${remedy})`] : [];
    });
    const allSkipped = total.skipped + total.pending;
    const ended = `${total.passed} passed, ${total.failed} failed`;
    lines.push(allSkipped > 0 ? `${ended}, ${allSkipped} skipped` : ended);
    process.once('exit', () => process.stdout.write(`${lines.join('\n')}\n`));
  }
}
