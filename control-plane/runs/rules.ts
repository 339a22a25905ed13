import { exactly } from '../llm-calls/rules.ts';

/** A run as it is answered: its cost as a sum, its duration in seconds, null while it goes on. */
export const asRun = <R extends { started_at: number; completed_at: number | null; cost: number }>(
  run: R,
) => ({
  ...run,
  cost: exactly(run.cost),
  duration: run.completed_at === null ? null : (run.completed_at - run.started_at) / 1000,
});
