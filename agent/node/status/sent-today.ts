import { z } from 'zod';
import {
  countSent,
  dayOf,
  emptyCounts,
  type DailyCounts,
  type CountKind,
} from '#agent/core/sent-today.ts';
import { count } from '#contract/fields.ts';
import { throttleTrailing } from '#lib/trailing-throttle.ts';
import { readIfExists, writeFileAtomic } from '../state/atomic-file.ts';

const record = z.object({
  day: z.string(),
  flow_reports: count,
  captures: count,
  inventories: count,
  // Agents before 0.2 did not count these.
  telemetry: count.default(0),
  tool_calls: count.default(0),
  bytes: count,
}) satisfies z.ZodType<DailyCounts>;

export interface SentToday {
  add: (kind: CountKind, amount: number) => void;
  read: () => DailyCounts;
  /** Writes counts that are not on disk yet. */
  stop: () => void;
}

/**
 * The interval for writing the counts, which change with every batch. A killed process loses the
 * changes since the last write.
 */
const WRITE_INTERVAL_MS = 60_000;

/** Counts the data that leaves this machine, day by day, including across restarts. */
export function openSentToday(path: string): SentToday {
  const today = (): string => dayOf(Date.now());
  let sent = load(path) ?? emptyCounts(today());
  const write = (): void => {
    try {
      writeFileAtomic(path, JSON.stringify(sent));
    } catch {
      // A full disk is reported as a problem elsewhere; these counts only appear in the window.
    }
  };
  const writing = throttleTrailing(write, WRITE_INTERVAL_MS);
  return {
    add: (kind, amount) => {
      sent = countSent(sent, today(), kind, amount);
      writing.request();
    },
    read: () => (sent.day === today() ? sent : emptyCounts(today())),
    stop: () => {
      if (!writing.isDue()) return;
      writing.cancel();
      write();
    },
  };
}

function load(path: string): DailyCounts | null {
  try {
    return record.parse(JSON.parse(readIfExists(path) ?? 'null'));
  } catch {
    return null;
  }
}
