import type { CaptureReport } from '#contract/captures.ts';
import type { Context } from '../../context.ts';
import { type Batch, isTaken } from '../reports/queries.ts';
import { notInTheFuture } from '../reports/rules.ts';
import { type Taken, takeBatch } from '../reports/write.ts';
import { findCaptureHistory } from './queries.ts';
import { captureRow } from './rows.ts';
import { admitCaptures } from './rules.ts';

interface Answer extends Taken {
  refused: { id: string; reason: string }[];
}

const again: Answer = { accepted: 0, duplicate: true, refused: [] };

/** Masks and stores those captures of a batch that the device was allowed to make. */
export async function takeCaptures(
  context: Context,
  batch: Batch,
  captures: readonly CaptureReport[],
): Promise<Answer> {
  const { storage } = context;
  const { device } = batch;
  // Before any of the work that comes below; whoever sends it twice at once is found out later.
  if (await isTaken(storage.db, batch)) return again;
  const now = context.now();
  const past = captures.map((capture) => notInTheFuture(capture, now));
  const first = Math.min(now, ...past.map(({ started_at }) => started_at));
  const history = await findCaptureHistory(storage.db, device, first);
  const { admitted, refused } = admitCaptures(past, history);
  const masker = await context.maskerOf(device.tenantId);
  const rows = admitted.map((capture) => captureRow(device, capture, { masker, now }));
  const taken = await takeBatch(storage, { ...batch, at: now, captures: rows });
  return taken.duplicate ? again : { ...taken, refused };
}
