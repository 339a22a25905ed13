import type { Context } from '../../context.ts';
import { runEvery } from '../../lib/background-job.ts';
import { maintenanceSteps } from './chores.ts';
import { tidyTraces } from './maintain-traces.ts';

/** Nobody waits for it to the second, and looking takes some lookups in an index for each tenant. */
const LOOK_EVERY_MS = 10_000;

/**
 * Does what time does to traces, whether or not anything arrives: the agent that crashed sends
 * nothing more. No chore waits for another that has very much to do. The answered function ends it,
 * in the middle if need be.
 */
export function keepTracesTidy(context: Context): () => Promise<void> {
  const onError = (err: unknown): void =>
    context.log.error({ err }, 'tidying up OpenTelemetry traces failed');
  const ends = maintenanceSteps.map((chore) =>
    runEvery((stopping) => tidyTraces(context, chore, stopping), {
      everyMs: LOOK_EVERY_MS,
      onError,
    }),
  );
  return async () => void (await Promise.all(ends.map((end) => end())));
}
