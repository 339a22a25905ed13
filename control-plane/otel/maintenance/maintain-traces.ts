import type { Context } from '../../context.ts';
import { sleep } from '../../lib/sleep.ts';
import type { RunRef } from '../../usage/count.ts';
import type { MaintenanceStep } from './chores.ts';
import { findTenants } from './maintenance-queries.ts';
import { takeStep } from './step.ts';

/** Recording has the database for most of the time, also while very much is to be done. */
const REST_MS = 25;

export type Tidying = Pick<Context, 'storage' | 'governance' | 'log' | 'now'>;

/**
 * Does one chore for all tenants, in small steps, until nothing is left to do. Tenants take turns:
 * one with very many traces does not hold up the others.
 */
export async function tidyTraces(
  context: Tidying,
  chore: MaintenanceStep,
  signal: AbortSignal,
): Promise<void> {
  const before = context.now() - chore.silentMs;
  const { db, reader } = context.storage;
  // Asked of the connection that is there anyway: no thread is started where there is nothing to read.
  let tenants = await findTenants(db, { ...chore, orphans: false, before });
  if (chore.orphans && tenants.length > 0)
    tenants = await findTenants(reader, { ...chore, before });
  while (tenants.length > 0) {
    const unfinished: string[] = [];
    for (const tenantId of tenants) {
      if (signal.aborted) return;
      if (await tidyStep(context, tenantId, chore, before)) unfinished.push(tenantId);
      await sleep(REST_MS, signal);
    }
    tenants = unfinished;
  }
}

/** Answers whether there may be more to do. What fails for one tenant must not stop the others. */
async function tidyStep(
  context: Tidying,
  tenantId: string,
  chore: MaintenanceStep,
  before: number,
): Promise<boolean> {
  const { storage, log } = context;
  try {
    const { more, ended } = await takeStep(storage, tenantId, chore, before);
    await evaluateEnded(context, tenantId, ended);
    return more;
  } catch (error) {
    if (storage.isUnavailable(error)) throw error;
    log.error({ err: error }, `tidying up OpenTelemetry traces of ${tenantId} failed`);
    return false;
  }
}

/** Who watches is told, and policies are: what a run had taken is free when it ends. */
async function evaluateEnded(
  { storage, governance, log }: Tidying,
  tenant_id: string,
  ended: readonly RunRef[],
): Promise<void> {
  if (ended.length > 0) storage.signals.publish({ tenant_id, topic: 'runs' });
  for (const run of ended)
    await governance
      .onRunEnd(run)
      .catch((error: unknown) => log.error({ err: error }, 'policies could not be asked'));
}
