import type { Context } from '../context.ts';
import { runEvery } from '../lib/background-job.ts';
import { sleep } from '../lib/sleep.ts';
import type { Storage } from '../storage/open.ts';
import { countEarlier, listUncounted, startCounting } from './usage-queries.ts';

const LOOK_EVERY_MS = 60_000;
/** What is looked through is read beside recording; what is counted is some milliseconds' work. */
const STEP = { ids: 20_000, calls: 250 };
/** Recording has the database for most of the time. */
const REST_MS = 25;

/**
 * Counts for prompts the calls that had their text before it was a version: when a version is made,
 * and every minute what another process left. The answered function ends it, in the middle if need
 * be: this or another process then goes on.
 */
export function keepCountingEarlier({
  storage,
  log,
}: Pick<Context, 'storage' | 'log'>): () => Promise<void> {
  const onError = (err: unknown): void =>
    log.error({ err }, 'counting earlier calls of prompts failed');
  return runEvery(
    async (stopping) => {
      for (const [tenantId, hashes] of await listUncounted(storage.db))
        await countOf(storage, tenantId, hashes, stopping).catch(onError);
    },
    {
      everyMs: LOOK_EVERY_MS,
      onError,
      trigger: (wake) =>
        storage.signals.subscribe(({ topic }) => {
          if (topic === 'prompts') wake();
        }),
    },
  );
}

async function countOf(
  storage: Storage,
  tenantId: string,
  hashes: ReadonlySet<string>,
  stopping: AbortSignal,
): Promise<void> {
  const underWay = await storage.underWay(storage.db);
  while (!stopping.aborted && !(await storage.haveEnded(storage.db, underWay)))
    await sleep(REST_MS, stopping);
  if (stopping.aborted) return;
  await startCounting(storage, tenantId, hashes);
  while (!stopping.aborted && (await countEarlier(storage, tenantId, STEP)))
    await sleep(REST_MS, stopping);
}
