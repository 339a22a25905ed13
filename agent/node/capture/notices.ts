import type { DistrustingClient } from '#agent/core/capture/distrust.ts';
import { appOfProcess } from '#agent/core/recognition/app-of-process.ts';
import { LruMap } from '#lib/lru-map.ts';
import { HOUR_MS } from '#lib/time-units.ts';
import { type CertificateRefusal, MAX_REFUSALS } from '#contract/captures.ts';

export interface Notices {
  add: (line: string) => void;
  clear: () => void;
}

/** The latest distinct lines about content that is not captured. */
export function createNotices(onChange: (lines: string[]) => void, maxLines = 10): Notices {
  const lines = new Set<string>();
  return {
    add: (line) => {
      if (lines.has(line)) return;
      lines.add(line);
      const [oldest] = lines;
      if (lines.size > maxLines && oldest !== undefined) lines.delete(oldest);
      onChange([...lines]);
    },
    clear: () => {
      lines.clear();
      onChange([]);
    },
  };
}

/** Logs each distinct line once an hour: clients that are blocked often try again at once. */
export function logHourly(
  log: (line: string) => void,
  now: () => number = Date.now,
): (line: string) => void {
  const loggedAt = new LruMap<string, number>(1000);
  return (line) => {
    if (now() - (loggedAt.peek(line) ?? -Infinity) < HOUR_MS) return;
    loggedAt.set(line, now());
    log(line);
  };
}

/**
 * Returns the refusals for a heartbeat: without duplicates, and the latest if there are too many.
 */
export function refusalsToReport(refusals: readonly DistrustingClient[]): CertificateRefusal[] {
  const reported = new Map<string, CertificateRefusal>();
  for (const { process, path, script, host, since } of refusals) {
    const app_id = appOfProcess({ name: process, path, script: script ?? null }) ?? null;
    const key = JSON.stringify([process, app_id, host]);
    if (reported.has(key)) continue;
    reported.set(key, { process: process?.slice(0, 256) ?? null, app_id, host, since });
  }
  return [...reported.values()].slice(-MAX_REFUSALS);
}
