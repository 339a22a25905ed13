import type { Signals } from '../storage/signals.ts';

const GATHER_MS = 100;

/** Tells who watches that a run changed: once for all that happens to it in a tenth of a second. */
export function throttledNotifier(
  signals: Signals,
): (run: { tenant_id: string; id: number }) => void {
  const waiting = new Set<string>();
  return ({ tenant_id, id }) => {
    const key = `${tenant_id} ${id}`;
    if (waiting.has(key)) return;
    waiting.add(key);
    setTimeout(() => {
      waiting.delete(key);
      signals.publish({ tenant_id, topic: 'runs', run_id: id });
    }, GATHER_MS).unref();
  };
}
