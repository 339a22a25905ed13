import { HOUR_MS, MINUTE_MS } from '#lib/time-units.ts';
import type { Context } from '../../context.ts';
import { runEvery, sleep } from '../../lib/background-job.ts';
import type { Storage } from '../../storage/open.ts';
import { listTenants } from '../../tenants/queries.ts';
import { hasHours, listEmptiedHours, listHours, readHour, storeHour } from './count-queries.ts';
import { rowsOfHour } from './count-rules.ts';

const INTERVAL_MS = 2 * MINUTE_MS;
/**
 * The ratio of the job's pauses to its work, so that recording has the database most of the time.
 */
const REST = 3;

/**
 * Counts the LLM calls of each completed hour by user, team, key and so on, and counts them again
 * if calls arrive late, change or are deleted. For hours that are not counted yet, queries read the
 * calls, so the results are the same and only take longer. The returned function stops the job.
 */
export function startCountingHours({
  storage,
  log,
  now,
}: Pick<Context, 'storage' | 'log' | 'now'>): () => Promise<void> {
  const onError = (err: unknown): void =>
    log.error({ err }, 'counting LLM calls by the hour failed');
  return runEvery(
    async (stopping) => {
      for (const tenantId of await listTenants(storage.db))
        await countHours(storage, tenantId, now(), stopping).catch(onError);
    },
    { everyMs: INTERVAL_MS, onError },
  );
}

/**
 * Counts the completed hours of a tenant that were not counted or have changed since, latest first.
 */
export async function countHours(
  storage: Storage,
  tenantId: string,
  now: number,
  stopping: AbortSignal,
  rest = REST,
): Promise<void> {
  // Without calls, the reader thread, which takes 16 MB, is not started.
  if (!(await hasHours(storage.db, tenantId))) return;
  const { reader } = storage;
  const ended = { from: 0, to: Math.floor(now / HOUR_MS) };
  const changed = (await listHours(reader, tenantId, ended)).filter((one) => !one.is_counted);
  const due = [
    ...changed.map(({ hour }) => hour).reverse(),
    ...(await listEmptiedHours(reader, tenantId)),
  ];
  for (const hour of due) {
    if (stopping.aborted) return;
    const began = performance.now();
    await countHour(storage, tenantId, hour);
    await sleep((performance.now() - began) * rest, stopping);
  }
}

/**
 * Counts one hour. Its revision is from the same snapshot as the calls, so that later changes are
 * detected.
 */
async function countHour(storage: Storage, tenantId: string, hour: number): Promise<void> {
  const { revision, calls } = await storage.reader
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute((db) => readHour(db, tenantId, hour));
  const rows = rowsOfHour(tenantId, hour, calls);
  await storage.transaction((tx) => storeHour(tx, tenantId, hour, revision, rows));
}
