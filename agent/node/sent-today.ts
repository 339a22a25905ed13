import { z } from 'zod';
import { countSent, dayOf, nothingSent, type Sent, type SentKind } from '#agent/core/sent-today.ts';
import { count } from '#contract/fields.ts';
import { readIfThere, writeFileAtomic } from './atomic-file.ts';

const record = z.object({
  day: z.string(),
  flow_reports: count,
  captures: count,
  inventories: count,
  bytes: count,
}) satisfies z.ZodType<Sent>;

export interface SentToday {
  add: (kind: SentKind, more: number) => void;
  read: () => Sent;
  /** Writes down what is not yet. */
  stop: () => void;
}

/** Every batch adds to it: what a process that is killed has counted since is lost. */
const WRITE_MS = 60_000;

/** Counts what leaves this machine, day by day, also over restarts. */
export function openSentToday(path: string): SentToday {
  const today = (): string => dayOf(Date.now());
  let sent = load(path) ?? nothingSent(today());
  let timer: NodeJS.Timeout | undefined;
  const write = (): void => {
    clearTimeout(timer);
    timer = undefined;
    try {
      writeFileAtomic(path, JSON.stringify(sent));
    } catch {
      // A full disk has a problem of its own; these counts are for the window alone.
    }
  };
  return {
    add: (kind, more) => {
      sent = countSent(sent, today(), kind, more);
      timer ??= setTimeout(write, WRITE_MS).unref();
    },
    read: () => (sent.day === today() ? sent : nothingSent(today())),
    stop: () => {
      if (timer) write();
    },
  };
}

function load(path: string): Sent | null {
  try {
    return record.parse(JSON.parse(readIfThere(path) ?? 'null'));
  } catch {
    return null;
  }
}
