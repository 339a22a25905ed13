import { deleteMark } from '../mark-queries.ts';
import { listDropping, listRefusedSpans } from './watch-queries.ts';
import type { Watching } from './watching.ts';

/** Marks that the counts are watched. */
const WATCHED = 'recording';

/** Reports that devices dropped, and spans that were refused, since the last look. */
async function failures(watching: Watching): Promise<void> {
  const { tx, tenantId, mark, notify } = watching;
  // The first look finds only what was there before the rule.
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

async function grownBy({ marks, mark }: Watching, key: string, count: number): Promise<number> {
  const before = Number(marks.get(key) ?? 0);
  await mark(key, String(count));
  // A count begins again when a device enrolls again.
  return count >= before ? count - before : count;
}

/** No rule is interested any more: the next one begins with a first look. */
async function forget({ tx, tenantId, marks }: Watching): Promise<void> {
  if (marks.has(WATCHED)) await deleteMark(tx, tenantId, WATCHED);
}

export const watchRecording = { failures, forget };
