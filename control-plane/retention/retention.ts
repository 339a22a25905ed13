import type { Context } from '../context.ts';
import { deleteOld, listRetentions } from './queries.ts';

const DAY_MS = 24 * 3_600_000;
const LOOK_EVERY_MS = 10 * 60_000;
/** Few enough that a step takes some milliseconds. */
const ROWS_PER_STEP = 250;
/** Recording has the database for most of the time, also while very much is deleted. */
const REST_MS = 25;

/** Deletes what tenants no longer keep, in small steps, until the answered function is called. */
export function keepRetention(context: Context): () => Promise<void> {
  const stopping = new AbortController();
  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      timer.unref();
      stopping.signal.addEventListener(
        'abort',
        () => {
          clearTimeout(timer);
          resolve();
        },
        { once: true },
      );
    });
  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await applyRetention(context, { pause: () => pause(REST_MS), signal: stopping.signal }).catch(
        (error: unknown) => context.log.error({ err: error }, 'deleting what is not kept failed'),
      );
      await pause(LOOK_EVERY_MS);
    }
  };
  const running = loop();
  return () => {
    stopping.abort();
    return running;
  };
}

interface Pace {
  pause: () => Promise<void>;
  signal: AbortSignal;
}

/** Once for all tenants. Answers how many rows went. */
export async function applyRetention(context: Context, { pause, signal }: Pace): Promise<number> {
  let deleted = 0;
  for (const { tenant_id, retention_days } of await listRetentions(context.storage.db)) {
    const cutoff = context.now() - retention_days * DAY_MS;
    for (let step = ROWS_PER_STEP; step >= ROWS_PER_STEP && !signal.aborted; await pause()) {
      step = await deleteOld(context.storage, tenant_id, cutoff, ROWS_PER_STEP);
      deleted += step;
    }
  }
  return deleted;
}
