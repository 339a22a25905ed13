import type { Signal, Signals } from './signals.ts';

const FRESH_MS = 5000;

/**
 * Caches a value per tenant, so that recording need not query settings with every request. A signal
 * of `topic` evicts it, whichever process made the change. Signals may be lost, so entries also
 * expire after five seconds.
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
    const cached = entries.get(tenantId);
    const now = performance.now();
    if (cached && now < cached.until) return cached.value;
    const value = load(tenantId);
    entries.set(tenantId, { value, until: now + FRESH_MS });
    // Failures are not cached.
    value.catch(() => entries.delete(tenantId));
    return value;
  };
}
