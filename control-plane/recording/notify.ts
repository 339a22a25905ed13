import { throttleTrailing } from '#lib/trailing-throttle.ts';
import type { Signals } from '../storage/signals.ts';

const THROTTLE_MS = 100;

/** Publishes that a run changed, at most once per run in a tenth of a second. */
export function throttledNotifier(
  signals: Signals,
): (run: { tenant_id: string; id: number }) => void {
  const pending = new Map<string, { tenant_id: string; id: number }>();
  const { request } = throttleTrailing(() => {
    const runs = [...pending.values()];
    pending.clear();
    for (const { tenant_id, id } of runs) signals.publish({ tenant_id, topic: 'runs', run_id: id });
  }, THROTTLE_MS);
  return ({ tenant_id, id }) => {
    pending.set(`${tenant_id} ${id}`, { tenant_id, id });
    request();
  };
}
