import type { DistrustingClient } from '#agent/core/capture/distrust.ts';
import { appOfProcess } from '#agent/core/recognition/app-of-process.ts';
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
