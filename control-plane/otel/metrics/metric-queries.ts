import type { KeyCaller } from '../../http/caller.ts';
import type { Storage } from '../../storage/open.ts';
import { countNames, rejectionOf } from '../unmapped-attributes.ts';
import { addToCounters } from '../../coding-agents/counter-queries.ts';
import { storeUnmapped } from '../unmapped-queries.ts';
import type { ReadMetrics } from './read-metrics.ts';

/** Counts the names of received metrics and the reasons of rejections, and stores some values. */
export async function storeMetrics(
  storage: Storage,
  { tenantId, device }: Pick<KeyCaller, 'tenantId' | 'device'>,
  { counted, received, rejected }: ReadMetrics,
  at: number,
): Promise<void> {
  const ofMetric = { kind: 'metric' as const, trace_id: null, example: null };
  const names = [
    ...received.map((metric) => ({ ...ofMetric, ...metric })),
    ...rejected.map(rejectionOf),
  ];
  if (names.length === 0) return;
  const rows = countNames(tenantId, names, at);
  await storage.transaction(async (tx) => {
    await addToCounters(tx, { tenantId, userGroup: device?.userGroup ?? null }, counted);
    await storeUnmapped(tx, tenantId, rows);
  });
}
