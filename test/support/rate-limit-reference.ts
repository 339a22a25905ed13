interface Limits {
  max_per_minute?: number;
  max_per_hour?: number;
  max_per_day?: number;
  max_concurrent: number;
  burst_limit?: number;
  burst_window_seconds: number;
}

interface Run {
  id: number;
  agent_name: string;
  workflow_name: string;
  started_at: number;
  completed_at: number | null;
}

const SLOT_MS = 300_000;

/**
 * A simple reference implementation of the rate limit: returns the ids of the stopped runs. For
 * each run it examines all earlier ones. Runs are ordered by start.
 */
export function stoppedByRateLimit(limits: Limits, runs: readonly Run[]): number[] {
  const admitted: Run[] = [];
  const stopped: number[] = [];
  for (const run of runs) {
    const before = admitted.filter(
      (one) => one.agent_name === run.agent_name && one.workflow_name === run.workflow_name,
    );
    if (isWithin(limits, before, run.started_at)) admitted.push(run);
    else stopped.push(run.id);
  }
  return stopped;
}

function isWithin(limits: Limits, before: readonly Run[], now: number): boolean {
  const starts = before.map(({ started_at }) => started_at);
  const sameBucket = (seconds: number): number =>
    starts.filter((at) => Math.floor(at / 1000 / seconds) === Math.floor(now / 1000 / seconds))
      .length;
  const recent = starts.filter((at) => now - at < limits.burst_window_seconds * 1000).length;
  return (
    slotsInUse(before, now) < limits.max_concurrent &&
    recent < (limits.burst_limit ?? Infinity) &&
    sameBucket(60) < (limits.max_per_minute ?? Infinity) &&
    sameBucket(3600) < (limits.max_per_hour ?? Infinity) &&
    sameBucket(86_400) < (limits.max_per_day ?? Infinity)
  );
}

/**
 * A slot belongs to no particular run: a run that ends releases the oldest slot that has not
 * expired.
 */
function slotsInUse(before: readonly Run[], now: number): number {
  const happened = before
    .flatMap(({ started_at, completed_at }, index) => [
      { at: started_at, order: index, takes: true },
      ...(completed_at === null
        ? []
        : // At the same time, ends come before starts, but not before their own start.
          [{ at: completed_at, order: completed_at === started_at ? index : -1, takes: false }]),
    ])
    .filter(({ at }) => at <= now)
    .sort((a, b) => a.at - b.at || a.order - b.order);
  let slots: number[] = [];
  for (const { at, takes } of happened) {
    slots = slots.filter((taken) => at - taken < SLOT_MS);
    if (takes) slots.push(at);
    else slots.shift();
  }
  return slots.filter((taken) => now - taken < SLOT_MS).length;
}
