import { z } from 'zod';
import { category } from '../category.ts';

/** Seconds, rounded to three decimals for display. */
const seconds = (ms: number): number => Math.round(ms) / 1000;

/** Watches the duration of runs. It only warns: a late run continues. */
export const operations = category({
  name: 'operations',
  summary: 'Warns when a run takes longer than its timeout',
  rules: z.strictObject({ timeout_seconds: z.int().min(1).max(31_536_000).default(300) }),
  phases: ['before_workflow', 'mid_execution', 'after_workflow', 'on_failure'],
  atRunStart: true,
  evaluate({ rules, situation, remembered }) {
    if (situation.phase === 'before_workflow')
      return {
        action: 'allow',
        reason: `Timeout set to ${rules.timeout_seconds}s`,
        remember: { timeout_seconds: rules.timeout_seconds },
      };
    const timeout = remembered?.timeout_seconds;
    const { run, now, phase } = situation;
    if (!run || typeof timeout !== 'number')
      return { action: 'allow', reason: 'No timeout was set when the run started' };
    const duration = seconds((run.completedAt ?? now) - run.startedAt);
    const metadata = { duration, timeout };
    const times = `(${duration}s/${timeout}s)`;
    const isLate = duration > timeout;
    if (phase === 'mid_execution')
      return isLate
        ? { action: 'warn', reason: `Mid-run: approaching timeout ${times}`, metadata }
        : { action: 'allow', reason: `Within timeout ${times}`, metadata };
    return isLate
      ? { action: 'warn', reason: `Run exceeded timeout ${times}`, metadata }
      : { action: 'allow', reason: `Completed within timeout ${times}`, metadata };
  },
});
