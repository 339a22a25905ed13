import { roundedCost } from '../llm-calls/rules.ts';

/**
 * Returns a run in the form of responses, with a rounded cost and its duration in seconds, which is
 * null while it is running.
 */
export const runView = <
  R extends { started_at: number; completed_at: number | null; cost: number },
>(
  run: R,
) => ({
  ...run,
  cost: roundedCost(run.cost),
  duration: run.completed_at === null ? null : (run.completed_at - run.started_at) / 1000,
});
