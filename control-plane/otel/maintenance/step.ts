import type { Recording } from '../../recording/queries.ts';
import type { Storage } from '../../storage/open.ts';
import type { RunRef } from '../../usage/count.ts';
import { storeTally } from '../../usage/queries.ts';
import { newTally } from '../../usage/tally.ts';
import type { MaintenanceStep } from './chores.ts';
import { lockSilent } from './maintenance-queries.ts';

/** One transaction of some milliseconds. `more`: there may be more to do. */
export function takeStep(
  storage: Storage,
  tenantId: string,
  chore: MaintenanceStep,
  before: number,
): Promise<{ more: boolean; ended: RunRef[] }> {
  return storage.db.transaction().execute(async (trx) => {
    // Of several processes one works while the others wait, and then find what it left.
    await storage.lock(trx, `otel ${tenantId}`);
    const { bulk, search } = storage;
    const recording: Recording = { trx, bulk, search, tally: newTally() };
    const traces = await lockSilent(recording, tenantId, { ...chore, before });
    if (traces.length === 0) return { more: false, ended: [] };
    const ended = await chore.work(recording, tenantId, traces);
    await storeTally(trx, bulk, recording.tally);
    return { more: true, ended };
  });
}
