import type { Context } from '../context.ts';
import { runEvery, repeatWithPauses } from '../lib/background-job.ts';
import type { Storage } from '../storage/open.ts';
import { countEarlier, listUncounted, startCounting } from './usage-queries.ts';

const INTERVAL_MS = 60_000;
/**
 * The size of a step. Scanning rows does not block writers, and counting a batch takes some
 * milliseconds.
 */
const STEP = { ids: 20_000, calls: 250 };
/** The pause between steps, so that recording has the database most of the time. */
const PAUSE_MS = 25;

/**
 * Counts the calls that were recorded before their text became a prompt version. This runs when a
 * version is created, and every minute for work that another process left. The returned function
 * stops it, even in the middle; this or another process then continues.
 */
export function startCountingEarlierUsage({
  storage,
  log,
}: Pick<Context, 'storage' | 'log'>): () => Promise<void> {
  const onError = (err: unknown): void =>
    log.error({ err }, 'counting earlier calls of prompt versions failed');
  return runEvery(
    async (stopping) => {
      for (const [tenantId, hashes] of await listUncounted(storage.db))
        await countOf(storage, tenantId, hashes, stopping).catch(onError);
    },
    {
      everyMs: INTERVAL_MS,
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
  const snapshot = await storage.snapshotTransactions(storage.db);
  const areActive = async () => !(await storage.haveTransactionsEnded(storage.db, snapshot));
  await repeatWithPauses(areActive, PAUSE_MS, stopping);
  if (stopping.aborted) return;
  await startCounting(storage, tenantId, hashes);
  await repeatWithPauses(() => countEarlier(storage, tenantId, STEP), PAUSE_MS, stopping);
}
