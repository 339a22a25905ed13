import type { Recording } from '../../recording/queries.ts';
import type { Storage } from '../../storage/open.ts';
import type { RunRef } from '../../usage/count.ts';
import { storeTally } from '../../usage/queries.ts';
import { newTally } from '../../usage/tally.ts';
import type { MaintenanceStep } from './chores.ts';
import { lockSilent } from './maintenance-queries.ts';

/** One batch in one transaction, of some milliseconds. `more`: there may be more to do. */
export function runStep(
  storage: Storage,
  tenantId: string,
  step: MaintenanceStep,
  before: number,
): Promise<{ more: boolean; ended: RunRef[] }> {
  return storage.db.transaction().execute(async (trx) => {
    // Serializes processes: the others wait, then find what is left.
    await storage.lock(trx, `otel ${tenantId}`);
    const { bulk, search } = storage;
    const recording: Recording = { trx, bulk, search, tally: newTally() };
    const traces = await lockSilent(recording, tenantId, { ...step, before });
    if (traces.length === 0) return { more: false, ended: [] };
    const ended = await step.work(recording, tenantId, traces);
    await storeTally(trx, bulk, recording.tally);
    return { more: true, ended };
  });
}
