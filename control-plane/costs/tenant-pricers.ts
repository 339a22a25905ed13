import type { Storage } from '../storage/open.ts';
import { tenantCache } from '../storage/tenant-cache.ts';
import { createPricer, type LoadPrices, type Pricer } from './pricer.ts';
import { listOverrides } from './queries.ts';

/** Creates a cache of the pricers of tenants, with their current overrides. */
export function tenantPricers(
  storage: Pick<Storage, 'db' | 'signals'>,
  loadPrices: LoadPrices,
): (tenantId: string) => Promise<Pricer> {
  let withoutOverrides: Pricer | undefined;
  return tenantCache(storage.signals, 'settings', async (tenantId) => {
    const overrides = await listOverrides(storage.db, tenantId);
    const prices = await loadPrices();
    if (overrides.length > 0) return createPricer(prices, overrides);
    return (withoutOverrides ??= createPricer(prices));
  });
}
