import { throttleTrailing } from '#lib/trailing-throttle.ts';
import type { Signals } from '../storage/signals.ts';

const THROTTLE_MS = 100;
/** The number of runs above which one signal without run ids is published for the tenant. */
const MAX_RUN_SIGNALS = 20;

/** A run that changed. */
export interface ChangedRun {
  tenant_id: string;
  id: number;
}

/**
 * Publishes that runs changed, at most once per run in a tenth of a second, because on PostgreSQL
 * each signal is a query.
 */
export function throttledRunSignals(signals: Signals): (run: ChangedRun) => void {
  const pending = new Map<string, Set<number>>();
  const { request } = throttleTrailing(() => {
    const changed = [...pending];
    pending.clear();
    for (const [tenant_id, runs] of changed) publish(signals, tenant_id, runs);
  }, THROTTLE_MS);
  return ({ tenant_id, id }) => {
    const runs = pending.get(tenant_id);
    if (runs) runs.add(id);
    else pending.set(tenant_id, new Set([id]));
    request();
  };
}

function publish(signals: Signals, tenant_id: string, runs: ReadonlySet<number>): void {
  if (runs.size > MAX_RUN_SIGNALS) signals.publish({ tenant_id, topic: 'runs' });
  else for (const run_id of runs) signals.publish({ tenant_id, topic: 'runs', run_id });
}
