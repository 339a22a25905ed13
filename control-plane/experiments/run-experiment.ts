import type { ItemInput } from '#contract/datasets.ts';
import type { Context } from '../context.ts';
import type { semaphore } from '../lib/semaphore.ts';
import { throttleTrailing } from '#lib/trailing-throttle.ts';
import { announce } from './announce.ts';
import { findFailedJudges, judgeAgain } from './judge-again.ts';
import { keepLease } from './lease.ts';
import { type Plan, runItem } from './run-item.ts';
import {
  changeLeased,
  type ClaimedExperiment,
  findInput,
  listToRun,
  releaseEnded,
} from './run-queries.ts';
import { storeItem, retryWhileUnavailable } from './store-item.ts';

const ANNOUNCE_MS = 500;

interface Surroundings {
  stopping: AbortSignal;
  /** Limits the number of concurrent items of all experiments. */
  slot: ReturnType<typeof semaphore>;
}

interface Running extends Surroundings {
  experiment: ClaimedExperiment;
  plan: Plan;
  /** Aborted when this process must no longer run the experiment, or stops. */
  signal: AbortSignal;
  announce: () => void;
}

/**
 * Runs the remaining work of an experiment. It never rejects: errors are logged, and the work is
 * retried.
 */
export async function runExperiment(
  context: Context,
  experiment: ClaimedExperiment,
  surroundings: Surroundings,
): Promise<void> {
  const lost = new AbortController();
  const signal = AbortSignal.any([surroundings.stopping, lost.signal]);
  const { request } = throttleTrailing(
    () => announce(context.storage, experiment.tenant_id),
    ANNOUNCE_MS,
  );
  const stopRenewing = keepLease(context, experiment, lost);
  try {
    const plan = planOf(experiment);
    const running = { ...surroundings, experiment, plan, signal, announce: () => request() };
    await runPending(context, running, lost);
    await stopRenewing();
    await finish(context, running);
  } catch (error) {
    lost.abort();
    await stopRenewing();
    context.log.error({ err: error }, `experiment ${experiment.id} was interrupted`);
  }
  if (signal.aborted) await release(context, experiment);
}

/**
 * Releases the experiment. If it was cancelled, it can be retried from now on, because none of its
 * items is running.
 */
async function release({ storage, log }: Context, experiment: ClaimedExperiment): Promise<void> {
  try {
    await storage.transaction((tx) => releaseEnded(tx, experiment));
  } catch (error) {
    // The lease expires by itself.
    log.error({ err: error }, `releasing the lease of experiment ${experiment.id} failed`);
  }
}

const planOf = ({ content, config, evaluators }: ClaimedExperiment): Plan => ({
  content: content === null ? null : (JSON.parse(content) as Plan['content']),
  config: JSON.parse(config) as Plan['config'],
  evaluators: JSON.parse(evaluators) as Plan['evaluators'],
});

/** Runs as many items at once as the experiment allows. The first error ends all of them. */
async function runPending(
  context: Context,
  running: Running,
  lost: AbortController,
): Promise<void> {
  const { experiment, plan, signal, slot } = running;
  const items = await listToRun(context.storage.db, experiment);
  const judges = await findFailedJudges(context, experiment, plan);
  const tasks = [
    ...items.map((itemId) => () => runOne(context, running, itemId, lost)),
    ...judges.map(
      ([itemId, names]) =>
        () =>
          judgeOne(context, running, { itemId, names }, lost),
    ),
  ].values();
  const work = async (): Promise<void> => {
    for (const task of tasks) {
      if (signal.aborted) return;
      await slot(task);
    }
  };
  const workers = Array.from({ length: experiment.concurrency }, () =>
    work().catch((error: unknown) => {
      lost.abort();
      throw error;
    }),
  );
  const failed = (await Promise.allSettled(workers)).find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}

async function runOne(
  context: Context,
  { experiment, plan, signal, announce }: Running,
  itemId: string,
  lost: AbortController,
): Promise<void> {
  if (signal.aborted) return;
  // An error would end the other items, including those whose results wait for the database.
  const row = await retryWhileUnavailable(context, signal, () =>
    findInput(context.storage.db, experiment, itemId),
  );
  if (!row) return;
  const item = {
    input: JSON.parse(row.input) as ItemInput,
    expected:
      row.expected_output === null ? undefined : (JSON.parse(row.expected_output) as unknown),
  };
  const requester = { tenantId: experiment.tenant_id, signal };
  const result = await runItem(context, plan, item, requester);
  // An interrupted item has no result, and is run again unless the experiment was cancelled. An
  // output that has arrived is kept, because it is paid for.
  if (signal.aborted && result.outcome.status !== 'completed') return;
  if (!(await storeItem(context, { lease: experiment, signal }, itemId, result))) lost.abort();
  announce();
}

async function judgeOne(
  context: Context,
  { experiment, plan, signal, announce }: Running,
  { itemId, names }: { itemId: string; names: readonly string[] },
  lost: AbortController,
): Promise<void> {
  if (signal.aborted) return;
  if (!(await judgeAgain(context, { lease: experiment, signal, plan }, itemId, names)))
    lost.abort();
  announce();
}

/** Completes the experiment, or releases its lease so that another process can continue at once. */
async function finish(context: Context, { experiment, signal, stopping, announce }: Running) {
  if (signal.aborted && !stopping.aborted) return;
  const change = stopping.aborted
    ? { lease_until: 0 }
    : ({ status: 'completed', completed_at: context.now(), lease_until: 0 } as const);
  await context.storage.transaction((tx) => changeLeased(tx, experiment, change));
  if (!stopping.aborted) announce();
}
