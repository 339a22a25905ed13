import type { Context } from '../../context.ts';
import type { Recording } from '../../recording/queries.ts';
import { storeTally } from '../../usage/queries.ts';
import { newTally } from '../../usage/tally.ts';
import { findStoredRuns } from '../runs/queries.ts';
import {
  advanceSilent,
  closeRuns,
  deleteSilent,
  deleteSpans,
  deleteTraces,
  findSilent,
} from './queries.ts';

const MINUTE_MS = 60_000;
const LOOK_EVERY_MS = MINUTE_MS;
/** For so long a trace may be silent before its uppermost span is no longer waited for. */
const OPEN_MS = 10 * MINUTE_MS;
/** For so long spans that are no work of an AI agent are remembered: others may be below them. */
const PLAIN_MS = 60 * MINUTE_MS;
/** Few enough that a step takes some milliseconds. */
const TRACES_PER_STEP = 100;

const looked = new WeakMap<object, Map<string, number>>();

/**
 * A small step, at most once a minute for each tenant, of what time does to traces: those without
 * any work of an AI agent are forgotten, runs that nobody completes are ended, and of those that
 * ended long ago only what tells repeated spans is kept, for as long as there is a run.
 */
export async function tidyTraces(context: Context, tenantId: string): Promise<void> {
  const times = looked.get(context.storage) ?? new Map<string, number>();
  looked.set(context.storage, times);
  const now = context.now();
  if (now < (times.get(tenantId) ?? 0) + LOOK_EVERY_MS) return;
  times.set(tenantId, now);
  const { storage } = context;
  await storage.db.transaction().execute(async (trx) => {
    await storage.lock(trx, `otel ${tenantId}`);
    const recording: Recording = {
      trx,
      bulk: storage.bulk,
      search: storage.search,
      tally: newTally(),
    };
    await tidy(recording, tenantId, now);
    await storeTally(trx, storage.bulk, recording.tally);
  });
}

async function tidy(recording: Recording, tenantId: string, now: number): Promise<void> {
  const silentFor = (ms: number) => ({ before: now - ms, most: TRACES_PER_STEP });
  await deleteSilent(recording, tenantId, 'plain', silentFor(PLAIN_MS));
  const closed = await advanceSilent(recording, tenantId, ['open', 'complete'], silentFor(OPEN_MS));
  await closeRuns(recording, tenantId, closed);
  const settled = await advanceSilent(
    recording,
    tenantId,
    ['complete', 'settled'],
    silentFor(PLAIN_MS),
  );
  await deleteSpans(recording, tenantId, settled, 'plain');
  // Retention deletes the oldest runs first, and those are the ones that are silent for longest.
  const oldest = await findSilent(recording, tenantId, 'settled', silentFor(PLAIN_MS));
  const ids = oldest.flatMap(({ run_id }) => run_id ?? []);
  const runs = await findStoredRuns(recording, tenantId, ids);
  const orphans = oldest.filter(({ run_id }) => !runs.has(run_id ?? 0));
  await deleteTraces(recording, tenantId, orphans);
}
