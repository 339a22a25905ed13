import { appOfProcess } from '#agent/core/app-catalog/app-of-process.ts';
import type { Refusal } from '#agent/core/capture/distrust.ts';
import { type CertificateRefusal, MOST_REFUSALS } from '#contract/captures.ts';

/** Refusals for a heartbeat: without duplicates, the latest, up to its limit. */
export function refusalsToReport(refusals: readonly Refusal[]): CertificateRefusal[] {
  const reported = new Map<string, CertificateRefusal>();
  for (const { process, path, script, host, since } of refusals) {
    const app_id = appOfProcess({ name: process, path, script: script ?? null }) ?? null;
    const key = JSON.stringify([process, app_id, host]);
    if (reported.has(key)) continue;
    reported.set(key, { process: process?.slice(0, 256) ?? null, app_id, host, since });
  }
  return [...reported.values()].slice(-MOST_REFUSALS);
}
