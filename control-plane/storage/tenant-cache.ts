import type { Signal, Signals } from './signals.ts';

const FRESH_MS = 5000;

/**
 * Remembers what `load` answers for a tenant, so that recording need not ask the database for
 * settings on every request. Forgotten when a signal of `topic` says so, in whichever process the
 * change was made; signals may be lost, so after five seconds in any case.
 */
export function tenantCache<T>(
  signals: Signals,
  topic: Signal['topic'],
  load: (tenantId: string) => Promise<T>,
): (tenantId: string) => Promise<T> {
  const entries = new Map<string, { value: Promise<T>; until: number }>();
  signals.subscribe((signal) => {
    if (signal.topic === topic) entries.delete(signal.tenant_id);
  });
  return (tenantId) => {
    const known = entries.get(tenantId);
    const now = performance.now();
    if (known && now < known.until) return known.value;
    const value = load(tenantId);
    entries.set(tenantId, { value, until: now + FRESH_MS });
    // What failed once must not be remembered.
    value.catch(() => entries.delete(tenantId));
    return value;
  };
}
