import { randomUUID } from 'node:crypto';
import type { Context } from '../context.ts';
import { runEvery } from '../lib/background-job.ts';
import { semaphore } from '../lib/semaphore.ts';
import { isSuspended } from '../tenants/authorize.ts';
import { LEASE_MS, postpone } from './lease.ts';
import { runExperiment } from './run-experiment.ts';
import { claimExperiment, type ClaimedExperiment, findFree } from './run-queries.ts';

/** Polls, because another process may have accepted the request, or may have died while it ran it. */
const LOOK_EVERY_MS = 2000;
/** Items under way in this process, of all experiments. Those that wait take turns. */
const MAX_UNDER_WAY = 16;

/**
 * Runs experiments, from whichever process they were started. The returned function stops it, also
 * in the middle of items: this or another process runs these again, and no others.
 */
export function startExperimentJob(context: Context): () => Promise<void> {
  /** By the id of the experiment. */
  const running = new Map<string, Promise<void>>();
  const slot = semaphore(MAX_UNDER_WAY);
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
 * Claims an experiment that no process runs. Each claim has an id of its own: results of an earlier
 * one are refused. None is claimed while results could not be stored: its models would be paid for
 * nothing.
 */
async function claim(
  context: Context,
  except: readonly string[],
): Promise<ClaimedExperiment | undefined> {
  const { storage } = context;
  const now = context.now();
  if (!(await findFree(storage.db, { now, except }))) return undefined;
  if ((await storage.checks.recording()).status === 'failed') return undefined;
  const lease = { lease_id: randomUUID(), lease_until: now + LEASE_MS };
  return storage.transaction((tx) => claimExperiment(tx, lease, { now, except }));
}
