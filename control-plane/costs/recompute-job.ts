import { setTimeout } from 'node:timers/promises';
import type { recomputation } from '#contract/costs.ts';
import { ApiError } from '#contract/errors.ts';
import type { z } from 'zod';
import { withAudit } from '../audit/changing.ts';
import type { Context } from '../context.ts';
import { createPricer } from './price.ts';
import {
  claimRecomputation,
  findRecomputation,
  listOverrides,
  type RecomputationRow,
  updateRecomputation,
} from './queries.ts';
import { NO_PROGRESS, type Progress, recompute, type Scope } from './recompute.ts';

type Recomputation = z.output<typeof recomputation>;

// It tells of itself every second: whoever is silent for so long has ended without a word.
const TELL_MS = 1000;
const SILENT_MS = 60_000;

/**
 * Begins a recomputation in this process, which goes on after this has answered.
 *
 * @throws ApiError `conflict` while one is running
 */
export async function startRecomputation(
  context: Context,
  call: Parameters<typeof withAudit>[1],
  scope: Scope,
): Promise<Recomputation> {
  const { tenantId } = call.caller;
  const now = context.now();
  const row: RecomputationRow = {
    id: context.newId('rec'),
    status: 'running',
    dry_run: scope.dry_run ? 1 : 0,
    progress: JSON.stringify(NO_PROGRESS),
    started_at: now,
    updated_at: now,
  };
  await withAudit(context, call, async (trx, audit) => {
    if (!(await claimRecomputation(trx, tenantId, row, now - SILENT_MS)))
      throw new ApiError('conflict', 'costs are being recomputed already');
    const since = scope.since === undefined ? undefined : new Date(scope.since).toISOString();
    await audit({
      action: 'model_cost.recompute',
      resource_type: 'recomputation',
      resource_id: row.id,
      metadata: { ...scope, since },
    });
  });
  void run(context, tenantId, { id: row.id, scope, until: now + 1 });
  return jobView(row, now);
}

/** @throws ApiError `not_found` when there was none yet */
export async function latestRecomputation(
  context: Context,
  tenantId: string,
): Promise<Recomputation> {
  const row = await findRecomputation(context.storage.db, tenantId);
  if (!row) throw new ApiError('not_found', 'costs have not been recomputed yet');
  return jobView(row, context.now());
}

const jobView = (row: RecomputationRow, now: number): Recomputation => ({
  ...(JSON.parse(row.progress) as Progress),
  status: row.status === 'running' && row.updated_at < now - SILENT_MS ? 'interrupted' : row.status,
  dry_run: row.dry_run === 1,
  started_at: row.started_at,
  updated_at: row.updated_at,
});

interface Job {
  id: string;
  scope: Scope;
  until: number;
}

/** Never throws: nobody waits for it. */
async function run(context: Context, tenantId: string, { id, scope, until }: Job): Promise<void> {
  let progress = NO_PROGRESS;
  const tell = (status: RecomputationRow['status']): Promise<boolean> =>
    updateRecomputation(context.storage.db, tenantId, {
      id,
      status,
      progress: JSON.stringify(progress),
      updated_at: context.now(),
    });
  try {
    // Not what recording remembers: an override that was set a moment ago must count.
    const pricer = createPricer(
      await context.prices(),
      await listOverrides(context.storage.db, tenantId),
    );
    const steps = recompute(context.storage, tenantId, { pricer, scope, until });
    let told = performance.now();
    let began = told;
    for await (progress of steps) {
      if (performance.now() - told > TELL_MS) {
        told = performance.now();
        if (!(await tell('running'))) return;
      }
      // At most half of the database's time: the rest is for recording.
      await setTimeout(performance.now() - began);
      began = performance.now();
    }
    await tell('completed');
    context.storage.signals.publish({ tenant_id: tenantId, topic: 'runs' });
  } catch (error) {
    context.log.error({ tenant_id: tenantId }, `recomputing costs failed: ${messageOf(error)}`);
    await tell('failed').catch(() => undefined);
  }
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
