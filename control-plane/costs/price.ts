import { type FindGiven, findAmong, type GivenPrice, scheduleOfGiven } from './given-prices.ts';
import { costAt, ratesAt, type Schedule, type Usage } from './rates.ts';
import type { SystemTable } from './system-table.ts';

export type PriceSource = 'override' | 'file' | 'table';

export interface Priced {
  /** USD. */
  cost: number;
  cost_source: PriceSource | 'unpriced';
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

/** A tenant's overrides win over the operator's file, and that over the system table. */
export function createPricer(prices: Prices, overrides: readonly GivenPrice[] = []): Pricer {
  const findOverride = findAmong(overrides);
  const known = new Map<string, Found | null>();

  function look(provider: string | null, model: string): Found | null {
    const system = prices.system.find(provider, model);
    const override = findOverride(provider, model, system);
    if (override) return { source: 'override', schedule: scheduleOfGiven(override, system) };
    const listed = prices.findInFile(provider, model, system);
    if (listed) return { source: 'file', schedule: scheduleOfGiven(listed, system) };
    return system ? { source: 'table', schedule: system.schedule } : null;
  }

  function find(provider: string | null, model: string): Found | null {
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
    return { cost: costAt(ratesAt(found.schedule, at), usage), cost_source: found.source };
  };
}

interface Found {
  source: PriceSource;
  schedule: Schedule;
}
