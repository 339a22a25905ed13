import type { modelCost } from '#contract/costs.ts';
import type { z } from 'zod';
import {
  findConfigured,
  type ConfiguredPrice,
  scheduleOfConfigured,
} from './operator-and-tenant-prices.ts';
import type { PriceSource, Prices } from './pricer.ts';
import type { Override } from './queries.ts';
import { ratesAt, type Schedule } from './rate-schedule.ts';
import type { ListedPrice } from './system-price-table.ts';

export type ModelCost = z.output<typeof modelCost>;

/**
 * Lists all rows of the system table with their effective prices, and the rows added by an operator
 * or a tenant, sorted by id. Tiered or time-dependent prices are those of a small call at `at`.
 */
export function listModelCosts(
  prices: Prices,
  overrides: readonly Override[],
  at: number,
): ModelCost[] {
  const nothingGiven = overrides.length === 0 && prices.file.length === 0;
  const findOverride = findConfigured(overrides);
  const entryOf = (row: ListedPrice): ModelCost => {
    if (nothingGiven) return entry(row, row.schedule, 'table', at);
    const match = { price: row, rest: 0 };
    const override = findOverride(row.provider, row.name, match);
    if (override) return entry(row, scheduleOfConfigured(override.price, row), 'override', at);
    const listed = prices.findInFile(row.provider, row.name, match);
    if (listed) return entry(row, scheduleOfConfigured(listed.price, row), 'file', at);
    return entry(row, row.schedule, 'table', at);
  };
  const entries = new Map(
    prices.system.list().map((row) => [row.model_id.toLowerCase(), entryOf(row)]),
  );
  const add = (given: ModelCost): void => void entries.set(given.model_id.toLowerCase(), given);
  for (const price of prices.file)
    if (!entries.has(price.model_id.toLowerCase())) add(givenEntry(prices, price, 'file', at));
  for (const override of overrides) add(overrideEntry(prices, override, at));
  return [...entries].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, listed]) => listed);
}

/** Returns a tenant's override with its effective cache rates. */
export const overrideEntry = (prices: Prices, override: Override, at: number): ModelCost => ({
  ...givenEntry(prices, override, 'override', at),
  is_override: true,
  updated_at: override.updated_at,
});

function givenEntry(
  prices: Prices,
  price: ConfiguredPrice,
  source: PriceSource,
  at: number,
): ModelCost {
  const system = prices.system.find(null, price.model_id)?.price;
  const row = { model_id: price.model_id, provider: system?.provider ?? null };
  return entry(row, scheduleOfConfigured(price, system), source, at);
}

function entry(
  { model_id, provider }: Pick<ModelCost, 'model_id' | 'provider'>,
  schedule: Schedule,
  source: PriceSource,
  at: number,
): ModelCost {
  const rates = ratesAt(schedule, at);
  return {
    model_id,
    provider,
    input_cost_per_million: rates.input.base,
    output_cost_per_million: rates.output.base,
    cache_read_cost_per_million: rates.cacheRead.base,
    cache_write_cost_per_million: rates.cacheWrite.base,
    currency: 'USD',
    is_override: false,
    source,
    updated_at: null,
  };
}
