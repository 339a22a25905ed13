import type { Context } from '../../context.ts';
import { rest } from '../../rest.ts';
import { type Chore, chores } from './chores.ts';
import { tidyTraces } from './tidy.ts';

/** Nobody waits for it to the second, and looking takes some lookups in an index for each tenant. */
const LOOK_EVERY_MS = 10_000;

/**
 * Does what time does to traces, whether or not anything arrives: the agent that crashed sends
 * nothing more. No chore waits for another that has very much to do. The answered function ends it,
 * in the middle if need be.
 */
export function keepTracesTidy(context: Context): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const loop = async (chore: Chore): Promise<void> => {
    while (!signal.aborted) {
      await tidyTraces(context, chore, signal).catch((error: unknown) =>
        context.log.error({ err: error }, 'tidying up OpenTelemetry traces failed'),
      );
      await rest(LOOK_EVERY_MS, signal);
    }
  };
  const running = Promise.all(chores.map(loop));
  return async () => {
    stopping.abort();
    await running;
  };
}
