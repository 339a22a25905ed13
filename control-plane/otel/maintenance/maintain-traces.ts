import { runRecording } from '../../recording/recording-transaction.ts';
import { traceMaintenanceLock } from '../../storage/locks.ts';
import type { Storage } from '../../storage/open.ts';
import type { RunRef } from '../../usage/count.ts';
import type { MaintenanceStep } from './maintenance-steps.ts';
import { lockIdleTraces, findTenants } from './maintenance-queries.ts';
import type { Context } from '../../context.ts';
import { sleep } from '../../lib/background-job.ts';

/** The pause between steps, so that recording has the database most of the time. */
const PAUSE_MS = 25;

export type MaintenanceContext = Pick<Context, 'storage' | 'governance' | 'log' | 'now'>;

/**
 * Runs one maintenance step for all tenants, batch by batch, until all work is done. Tenants take
 * turns, so that one with very many traces does not delay the others.
 */
export async function maintainTraces(
  context: MaintenanceContext,
  step: MaintenanceStep,
  signal: AbortSignal,
): Promise<void> {
  const before = context.now() - step.idleMs;
  const { db, reader } = context.storage;
  // The open connection is used first, so that no reader thread is started unless there are
  // matching traces.
  let tenants = await findTenants(db, { ...step, orphans: false, before });
  if (step.orphans && tenants.length > 0) tenants = await findTenants(reader, { ...step, before });
  while (tenants.length > 0) {
    const unfinished: string[] = [];
    for (const tenantId of tenants) {
      if (signal.aborted) return;
      if (await runBatch(context, tenantId, step, before)) unfinished.push(tenantId);
      await sleep(PAUSE_MS, signal);
    }
    tenants = unfinished;
  }
}

/**
 * Runs one batch; returns whether there may be more work. A failure for one tenant must not stop
 * the others.
 */
async function runBatch(
  context: MaintenanceContext,
  tenantId: string,
  step: MaintenanceStep,
  before: number,
): Promise<boolean> {
  const { storage, log } = context;
  try {
    const { more, ended } = await runStep(storage, tenantId, step, before);
    await evaluateEnded(context, tenantId, ended);
    return more;
  } catch (error) {
    if (storage.isUnavailable(error)) throw error;
    log.error({ err: error }, `OpenTelemetry trace maintenance of tenant ${tenantId} failed`);
    return false;
  }
}

/**
 * Notifies clients of runs that ended, and evaluates policies for them, which releases their slots.
 */
async function evaluateEnded(
  { storage, governance, log }: MaintenanceContext,
  tenant_id: string,
  ended: readonly RunRef[],
): Promise<void> {
  if (ended.length > 0) storage.signals.publish({ tenant_id, topic: 'runs' });
  for (const run of ended)
    await governance
      .onRunEnd(run)
      .catch((error: unknown) => log.error({ err: error }, 'policy evaluation failed'));
}

/**
 * Runs one batch in one transaction, which takes some milliseconds. `more` means that there may be
 * more work.
 */
export function runStep(
  storage: Storage,
  tenantId: string,
  step: MaintenanceStep,
  before: number,
): Promise<{ more: boolean; ended: RunRef[] }> {
  return storage.transaction(async (tx) => {
    // The lock serializes processes: the others wait, and then find what is left.
    await tx.lock(traceMaintenanceLock(tenantId));
    const traces = await lockIdleTraces(tx, tenantId, { ...step, before });
    if (traces.length === 0) return { more: false, ended: [] };
    const ended = await runRecording(tx, storage, (recording) =>
      step.work(recording, tenantId, traces),
    );
    return { more: true, ended };
  });
}
