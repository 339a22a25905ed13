import type { Storage } from '../storage/open.ts';
import { tenantCache } from '../storage/tenant-cache.ts';
import { createPricer, type Pricer, type Prices } from './price.ts';
import { listOverrides } from './queries.ts';

/** The pricer of a tenant, with the overrides that it has now. */
export function pricers(
  storage: Pick<Storage, 'db' | 'signals'>,
  prices: Prices,
): (tenantId: string) => Promise<Pricer> {
  const withoutOverrides = createPricer(prices);
  return tenantCache(storage.signals, 'settings', async (tenantId) => {
    const overrides = await listOverrides(storage.db, tenantId);
    return overrides.length > 0 ? createPricer(prices, overrides) : withoutOverrides;
  });
}
