import type { CostSource } from '#contract/costs.ts';
import {
  type FindGiven,
  findAmong,
  type GivenMatch,
  type GivenPrice,
  scheduleOfGiven,
} from './given-prices.ts';
import { best } from './price-list.ts';
import { costAt, ratesAt, type Schedule, type Usage } from './rates.ts';
import type { SystemTable } from './system-table.ts';

export type PriceSource = 'override' | 'file' | 'table';

export interface Priced {
  /** USD. */
  cost: number;
  cost_source: Exclude<CostSource, 'given'>;
}

/** What a call costs that was made at a time (milliseconds since 1970). */
export type Pricer = (usage: Usage, at: number) => Priced;

/** What holds for every tenant: the prices that ship with us, and those of the operator. */
export interface Prices {
  system: SystemTable;
  file: readonly GivenPrice[];
  findInFile: FindGiven<GivenPrice>;
}

// Names come from clients: what is remembered of them must have an end.
const REMEMBERED = 5000;

const UNPRICED: Priced = Object.freeze({ cost: 0, cost_source: 'unpriced' });

/** The prices, read when they are first needed. */
export type LoadPrices = () => Promise<Prices>;

/**
 * A tenant's overrides win over the operator's file, and that over the system table. A name that
 * none of them lists is priced by the longest beginning that one of them lists.
 */
export function createPricer(prices: Prices, overrides: readonly GivenPrice[] = []): Pricer {
  const findOverride = findAmong(overrides);
  const known = new Map<string, PriceMatch | null>();

  function look(provider: string | null, model: string): PriceMatch | null {
    const system = prices.system.find(provider, model);
    const given = (source: PriceSource, match: GivenMatch<GivenPrice> | undefined) =>
      match && { ...match, source, schedule: scheduleOfGiven(match.price, system?.price) };
    const matches = [
      given('override', findOverride(provider, model, system)),
      given('file', prices.findInFile(provider, model, system)),
      system && { ...system, source: 'table' as const, schedule: system.price.schedule },
    ];
    const found = best<Pick<PriceMatch, 'schedule'> & { source: PriceSource; rest: number }>(
      matches,
    );
    if (!found) return null;
    const { schedule, source, rest } = found;
    return { schedule, cost_source: rest === 0 ? source : `${source}_prefix` };
  }

  function find(provider: string | null, model: string): PriceMatch | null {
    const key = provider === null ? model : `${provider}\n${model}`;
    const remembered = known.get(key);
    if (remembered !== undefined) return remembered;
    const found = look(provider, model);
    if (known.size >= REMEMBERED) known.clear();
    known.set(key, found);
    return found;
  }

  return (usage, at) => {
    const found = find(usage.provider, usage.model);
    if (!found) return UNPRICED;
    return { cost: costAt(ratesAt(found.schedule, at), usage), cost_source: found.cost_source };
  };
}

interface PriceMatch {
  cost_source: Priced['cost_source'];
  schedule: Schedule;
}
