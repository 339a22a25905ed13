import { HOUR_MS, MINUTE_MS } from '#lib/time-units.ts';
import type { Context } from '../../context.ts';
import { runEvery, sleep } from '../../lib/background-job.ts';
import type { Storage } from '../../storage/open.ts';
import { listTenants } from '../../tenants/queries.ts';
import { hasHours, listEmptied, listHours, readHour, storeHour } from './count-queries.ts';
import { rowsOfHour } from './count-rules.ts';

const INTERVAL_MS = 2 * MINUTE_MS;
/** The job pauses this many times as long as it worked, so that recording has the database. */
const REST = 3;

/**
 * Counts the LLM calls of each hour that is over by user, team, key and so on, and again when calls
 * of it arrive late, change or are deleted. A query reads hours that are not yet counted from the
 * calls: answers do not depend on it, only how soon they come. The returned function stops it.
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

/** Counts the hours of a tenant that are over and not counted as they are, latest first. */
export async function countHours(
  storage: Storage,
  tenantId: string,
  now: number,
  stopping: AbortSignal,
  rest = REST,
): Promise<void> {
  // Without calls the reader's thread need not start: it takes 16 MB.
  if (!(await hasHours(storage.db, tenantId))) return;
  const { reader } = storage;
  const ended = { from: 0, to: Math.floor(now / HOUR_MS) };
  const changed = (await listHours(reader, tenantId, ended)).filter((one) => !one.is_counted);
  const due = [
    ...changed.map(({ hour }) => hour).reverse(),
    ...(await listEmptied(reader, tenantId)),
  ];
  for (const hour of due) {
    if (stopping.aborted) return;
    const began = performance.now();
    await countHour(storage, tenantId, hour);
    await sleep((performance.now() - began) * rest, stopping);
  }
}

/** The revision is of the same snapshot as the calls: what changes after it shows. */
async function countHour(storage: Storage, tenantId: string, hour: number): Promise<void> {
  const { revision, calls } = await storage.reader
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute((db) => readHour(db, tenantId, hour));
  const rows = rowsOfHour(tenantId, hour, calls);
  await storage.transaction((tx) => storeHour(tx, tenantId, hour, revision, rows));
}
