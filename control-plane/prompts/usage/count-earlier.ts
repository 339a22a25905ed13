import type { Context } from '../../context.ts';
import { rest } from '../../rest.ts';
import { countEarlier, listUncounted } from './queries.ts';

const LOOK_EVERY_MS = 60_000;
/** What is looked through is read by another thread; what is counted is some milliseconds' work. */
const STEP = { ids: 20_000, calls: 250 };
/** Recording has the database for most of the time. */
const REST_MS = 25;

/**
 * Counts for prompts the calls that had their text before it was a version: when a version is made,
 * and every minute what another process left. The answered function ends it, in the middle if need
 * be: this or another process then goes on.
 */
export function keepCountingEarlier({ storage, log }: Context): () => Promise<void> {
  const stopping = new AbortController();
  let waking = new AbortController();
  const unsubscribe = storage.signals.subscribe(({ topic }) => {
    if (topic === 'prompts') waking.abort();
  });
  const countAll = async (): Promise<void> => {
    for (const tenantId of await listUncounted(storage.reader))
      while (!stopping.signal.aborted && (await countEarlier(storage, tenantId, STEP)))
        await rest(REST_MS, stopping.signal);
  };
  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      waking = new AbortController();
      await countAll().catch((error: unknown) =>
        log.error({ err: error }, 'counting earlier calls of prompts failed'),
      );
      await rest(LOOK_EVERY_MS, AbortSignal.any([stopping.signal, waking.signal]));
    }
  };
  const running = loop();
  return () => {
    unsubscribe();
    stopping.abort();
    return running;
  };
}
