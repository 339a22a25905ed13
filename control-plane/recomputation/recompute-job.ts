import { setTimeout } from 'node:timers/promises';
import type { recomputation, costRoutes } from '#contract/costs.ts';
import { ApiError } from '#contract/errors.ts';
import type { z } from 'zod';
import { withAudit } from '../audit/with-audit.ts';
import type { Context } from '../context.ts';
import { createPricer } from '../costs/pricer.ts';
import { listOverrides } from '../costs/queries.ts';
import {
  claimRecomputation,
  findRecomputation,
  type RecomputationRow,
  updateRecomputation,
} from './queries.ts';
import { NO_PROGRESS, type Progress, recompute, type Scope } from './recompute.ts';
import type { Handlers } from '../handler.ts';

type Recomputation = z.output<typeof recomputation>;

// Progress is stored every second. A job without an update for a minute is considered interrupted.
const REPORT_INTERVAL_MS = 1000;
const MAX_SILENCE_MS = 60_000;

/**
 * Starts a recomputation in this process, which continues after this function returns.
 *
 * @throws ApiError `conflict` if one is running
 */
export async function startRecomputation(
  context: Context,
  request: Parameters<typeof withAudit>[1],
  scope: Scope,
): Promise<Recomputation> {
  const { tenantId } = request.caller;
  const now = context.now();
  const row: RecomputationRow = {
    id: context.newId('rec'),
    status: 'running',
    dry_run: scope.dry_run ? 1 : 0,
    progress: JSON.stringify(NO_PROGRESS),
    started_at: now,
    updated_at: now,
  };
  await withAudit(context, request, async (tx, audit) => {
    if (!(await claimRecomputation(tx, tenantId, row, now - MAX_SILENCE_MS)))
      throw new ApiError('in_progress', 'a cost recomputation is already running');
    const since = scope.since === undefined ? undefined : new Date(scope.since).toISOString();
    audit({
      action: 'model_cost.recompute',
      resource_type: 'recomputation',
      resource_id: row.id,
      metadata: { ...scope, since },
    });
  });
  void run(context, tenantId, { id: row.id, scope, until: now + 1 });
  return jobView(row, now);
}

/** @throws ApiError `not_found` if there was none yet */
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
  status:
    row.status === 'running' && row.updated_at < now - MAX_SILENCE_MS ? 'interrupted' : row.status,
  dry_run: row.dry_run === 1,
  started_at: row.started_at,
  updated_at: row.updated_at,
});

interface Job {
  id: string;
  scope: Scope;
  until: number;
}

/** Runs a recomputation. It never throws, because the promise is not awaited. */
async function run(context: Context, tenantId: string, { id, scope, until }: Job): Promise<void> {
  let progress = NO_PROGRESS;
  const report = (status: RecomputationRow['status']): Promise<boolean> =>
    context.storage.transaction((tx) =>
      updateRecomputation(tx, tenantId, {
        id,
        status,
        progress: JSON.stringify(progress),
        updated_at: context.now(),
      }),
    );
  try {
    // Current overrides are loaded, because the cached pricer may lack a very recent one.
    const pricer = createPricer(
      await context.prices(),
      await listOverrides(context.storage.db, tenantId),
    );
    const steps = recompute(context.storage, tenantId, { pricer, scope, until });
    let reportedAt = performance.now();
    let began = reportedAt;
    for await (progress of steps) {
      if (performance.now() - reportedAt > REPORT_INTERVAL_MS) {
        reportedAt = performance.now();
        if (!(await report('running'))) return;
      }
      // At most half of the database's time is used, which leaves the rest to recording.
      await setTimeout(performance.now() - began);
      began = performance.now();
    }
    await report('completed');
    context.storage.signals.publish({ tenant_id: tenantId, topic: 'runs' });
  } catch (error) {
    context.log.error({ tenant_id: tenantId }, `cost recomputation failed: ${messageOf(error)}`);
    await report('failed').catch(() => undefined);
  }
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

export const recomputationHandlers: Handlers<
  Pick<typeof costRoutes, 'findRecomputation' | 'startRecomputation'>
> = {
  findRecomputation: (context, { caller }) => latestRecomputation(context, caller.tenantId),

  startRecomputation: (context, request) => startRecomputation(context, request, request.body),
};
