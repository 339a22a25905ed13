import { deleteMark } from '../mark-queries.ts';
import { listDropping, listRefusedSpans } from './watch-queries.ts';
import type { WatchContext } from './watch-context.ts';

/** The key of the mark that says that the counts are being watched. */
const WATCHED = 'recording';

/**
 * Reports the numbers of reports that devices dropped and of spans that were refused since the last
 * check.
 */
async function failures(watching: WatchContext): Promise<void> {
  const { tx, tenantId, mark, notify } = watching;
  // The first check finds only what happened before the rule existed.
  const isFirst = await mark(WATCHED, '');
  for (const { dropped, ...device } of await listDropping(tx.db, tenantId)) {
    const lost = await grownBy(watching, `dropped ${device.id}`, dropped);
    const reason = 'its queue was full: it could not send reports in time';
    if (lost > 0 && !isFirst)
      await notify({ event: 'recording.failing', tenantId, device, lost, reason });
  }
  for (const { name: reason, seen_count } of await listRefusedSpans(tx.db, tenantId)) {
    const lost = await grownBy(watching, `refused ${reason}`, seen_count);
    if (lost > 0 && !isFirst)
      await notify({ event: 'recording.failing', tenantId, device: null, lost, reason });
  }
}

async function grownBy({ marks, mark }: WatchContext, key: string, count: number): Promise<number> {
  const before = Number(marks.get(key) ?? 0);
  await mark(key, String(count));
  // The count restarts when a device enrolls again.
  return count >= before ? count - before : count;
}

/**
 * Removes the mark when no rule needs the counts, so that the next rule begins with a first check.
 */
async function forget({ tx, tenantId, marks }: WatchContext): Promise<void> {
  if (marks.has(WATCHED)) await deleteMark(tx, tenantId, WATCHED);
}

export const watchRecording = { failures, forget };
