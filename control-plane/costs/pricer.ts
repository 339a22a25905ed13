import type { CostSource } from '#contract/costs.ts';
import { LruMap } from '#lib/lru-map.ts';
import {
  type FindConfigured,
  findConfigured,
  type ConfiguredMatch,
  type ConfiguredPrice,
  scheduleOfConfigured,
} from './operator-and-tenant-prices.ts';
import { closestMatch } from './provider-price-list.ts';
import { costAt, ratesAt, type Schedule, type Usage } from './rate-schedule.ts';
import type { SystemTable } from './system-price-table.ts';

export type PriceSource = 'override' | 'file' | 'table';

export interface Priced {
  /** In USD. */
  cost: number;
  cost_source: Exclude<CostSource, 'given'>;
}

/** Returns the cost of a call that was made at a time (milliseconds since 1970). */
export type Pricer = (usage: Usage, at: number) => Priced;

/** The prices for all tenants: the built-in ones, and those of the operator. */
export interface Prices {
  system: SystemTable;
  file: readonly ConfiguredPrice[];
  findInFile: FindConfigured<ConfiguredPrice>;
}

// This is limited, because names come from clients.
const MAX_CACHED = 5000;

const UNPRICED: Priced = Object.freeze({ cost: 0, cost_source: 'unpriced' });

/** Returns the prices, which are loaded on first use. */
export type LoadPrices = () => Promise<Prices>;

/**
 * Creates a pricer. The closest match to the name of a model decides; an unlisted name gets the
 * price of its longest listed prefix. Only if two matches are equally close, a tenant's override
 * takes precedence over the operator's file, and that over the system table.
 */
export function createPricer(prices: Prices, overrides: readonly ConfiguredPrice[] = []): Pricer {
  const findOverride = findConfigured(overrides);
  const cache = new LruMap<string, PriceMatch | null>(MAX_CACHED);

  function lookUp(provider: string | null, model: string): PriceMatch | null {
    const system = prices.system.find(provider, model);
    const matchOf = (source: PriceSource, match: ConfiguredMatch<ConfiguredPrice> | undefined) =>
      match && { ...match, source, schedule: scheduleOfConfigured(match.price, system?.price) };
    const matches = [
      matchOf('override', findOverride(provider, model, system)),
      matchOf('file', prices.findInFile(provider, model, system)),
      system && { ...system, source: 'table' as const, schedule: system.price.schedule },
    ];
    const bestMatch = closestMatch<
      Pick<PriceMatch, 'schedule'> & { source: PriceSource; rest: number }
    >(matches);
    if (!bestMatch) return null;
    const { schedule, source, rest } = bestMatch;
    return { schedule, cost_source: rest === 0 ? source : `${source}_prefix` };
  }

  function find(provider: string | null, model: string): PriceMatch | null {
    const key = provider === null ? model : `${provider}\n${model}`;
    const cached = cache.get(key);
    if (cached !== undefined) return cached;
    const match = lookUp(provider, model);
    cache.set(key, match);
    return match;
  }

  return (usage, at) => {
    const match = find(usage.provider, usage.model);
    if (!match) return UNPRICED;
    return { cost: costAt(ratesAt(match.schedule, at), usage), cost_source: match.cost_source };
  };
}

interface PriceMatch {
  cost_source: Priced['cost_source'];
  schedule: Schedule;
}
