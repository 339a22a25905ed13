import { randomUUID } from 'node:crypto';
import type { Context } from '../context.ts';
import { runEvery } from '../lib/background-job.ts';
import { semaphore } from '../lib/semaphore.ts';
import { isSuspended } from '../tenants/authorize.ts';
import { LEASE_MS, postpone } from './lease.ts';
import { runExperiment } from './run-experiment.ts';
import { claimExperiment, type ClaimedExperiment, findUnleasedExperiment } from './run-queries.ts';

/**
 * The job polls, because another process may have accepted the request, or may have died while
 * running it.
 */
const LOOK_EVERY_MS = 2000;
/**
 * The maximum number of items that this process runs at once, of all experiments. Experiments take
 * turns.
 */
const MAX_CONCURRENT_ITEMS = 16;

/**
 * Runs experiments, whichever process accepted them. The returned function stops the job, even in
 * the middle of items. This or another process runs those items again, but no others.
 */
export function startExperimentJob(context: Context): () => Promise<void> {
  /** The running experiments by id. */
  const running = new Map<string, Promise<void>>();
  const slot = semaphore(MAX_CONCURRENT_ITEMS);
  const stop = runEvery(
    async (stopping) => {
      while (!stopping.aborted) {
        const claimed = await claim(context, [...running.keys()]);
        if (!claimed) return;
        if (await isSuspended(context, claimed.tenant_id)) await postpone(context, claimed);
        else start(claimed, stopping);
      }
    },
    {
      everyMs: LOOK_EVERY_MS,
      onError: (err) => context.log.error({ err }, 'the experiment job failed'),
      trigger: (wake) =>
        context.storage.signals.subscribe(({ topic }) => {
          if (topic === 'experiments') wake();
        }),
    },
  );
  return async () => {
    await stop();
    await Promise.all(running.values());
  };

  function start(claimed: ClaimedExperiment, stopping: AbortSignal): void {
    const run = runExperiment(context, claimed, { stopping, slot }).finally(() =>
      running.delete(claimed.id),
    );
    running.set(claimed.id, run);
  }
}

/**
 * Claims an experiment that no process runs. Each claim has its own id, so that results of an
 * earlier claim are refused. No experiment is claimed while results cannot be stored, because its
 * models would be paid for nothing.
 */
async function claim(
  context: Context,
  except: readonly string[],
): Promise<ClaimedExperiment | undefined> {
  const { storage } = context;
  const now = context.now();
  if (!(await findUnleasedExperiment(storage.db, { now, except }))) return undefined;
  if ((await storage.checks.recording()).status === 'failed') return undefined;
  const lease = { lease_id: randomUUID(), lease_until: now + LEASE_MS };
  return storage.transaction((tx) => claimExperiment(tx, lease, { now, except }));
}
