import type { Context } from '../../context.ts';
import { runEvery } from '../../lib/background-job.ts';
import { maintenanceSteps } from './maintenance-steps.ts';
import { maintainTraces } from './maintain-traces.ts';

/** Delays of some seconds are harmless, and each round costs a few index lookups per tenant. */
const INTERVAL_MS = 10_000;

/**
 * Starts the time-based steps for traces. They must not depend on further spans, because an agent
 * that crashed sends none. The steps run independently, so that none delays another. The returned
 * function stops them, even in the middle of a batch.
 */
export function startTraceMaintenance(context: Context): () => Promise<void> {
  const onError = (err: unknown): void =>
    context.log.error({ err }, 'OpenTelemetry trace maintenance failed');
  const ends = maintenanceSteps.map((step) =>
    runEvery((stopping) => maintainTraces(context, step, stopping), {
      everyMs: INTERVAL_MS,
      onError,
    }),
  );
  return async () => void (await Promise.all(ends.map((end) => end())));
}
