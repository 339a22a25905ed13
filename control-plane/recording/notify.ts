import type { Signals } from '../storage/signals.ts';

const THROTTLE_MS = 100;

/** Publishes that a run changed, at most once per run in a tenth of a second. */
export function throttledNotifier(
  signals: Signals,
): (run: { tenant_id: string; id: number }) => void {
  const pending = new Set<string>();
  return ({ tenant_id, id }) => {
    const key = `${tenant_id} ${id}`;
    if (pending.has(key)) return;
    pending.add(key);
    setTimeout(() => {
      pending.delete(key);
      signals.publish({ tenant_id, topic: 'runs', run_id: id });
    }, THROTTLE_MS).unref();
  };
}
