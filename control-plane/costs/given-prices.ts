import { readingsOf, stemOf } from './names.ts';
import { always, flatRate, type Rate, type Rates, type Schedule } from './rates.ts';
import type { SystemPrice } from './price-list.ts';

/** A price that an operator or a tenant gives. USD per million tokens. */
export interface GivenPrice {
  /** With a provider before it, like `groq/…`, it holds there; else wherever the model runs. */
  model_id: string;
  input_cost_per_million: number;
  output_cost_per_million: number;
  cache_read_cost_per_million: number | null;
  cache_write_cost_per_million: number | null;
}

/** Looks up what one call used; `system` is what the system table has for it. */
export type FindGiven<P extends GivenPrice> = (
  provider: string | null,
  model: string,
  system: SystemPrice | undefined,
) => P | undefined;

/**
 * By the exact name, then by the name without what tells issues of one model apart, then by the
 * row of the system table that the name leads to. An id that ends in a divider (`acme/`, `our-`) is
 * for all names that begin with it; of several the longest.
 */
export function findAmong<P extends GivenPrice>(prices: readonly P[]): FindGiven<P> {
  const byName = new Map(prices.flatMap((price) => keysOf(price).map((key) => [key, price])));
  const beginnings = [...byName]
    .filter(([key]) => /[-/:.@_]$/.test(key))
    .sort(([a], [b]) => b.length - a.length);
  return (provider, model, system) => {
    const names = namesOf(provider, model);
    for (const name of [...names, ...names.map(stemOf), ...(system ? idsOf(system) : [])]) {
      const price = byName.get(name);
      if (price) return price;
    }
    return beginnings.find(([key]) => names.some((name) => name.startsWith(key)))?.[1];
  };
}

/** As it is written, and with the price table's name for its provider. */
function keysOf({ model_id }: GivenPrice): string[] {
  const written = model_id.toLowerCase();
  const [, read] = readingsOf(null, model_id);
  return read?.provider ? [written, `${read.provider}/${read.name}`] : [written];
}

/** All that a call's model may be listed as; with its provider first. */
function namesOf(provider: string | null, model: string): string[] {
  const written = model.trim().toLowerCase();
  const stated = provider === null ? [] : [`${provider.toLowerCase()}/${written}`];
  const read = readingsOf(provider, model);
  const hosted = read.flatMap(({ provider: host, name }) => (host ? [`${host}/${name}`] : []));
  return [...stated, ...hosted, written, ...read.map(({ name }) => name)];
}

const idsOf = ({ provider, name }: SystemPrice): string[] => {
  const id = name.toLowerCase();
  return [`${provider}/${id}`, id];
};

/**
 * What a given price comes to. A cache rate that is not given keeps its share of the input rate:
 * who gets a model for less gets its cached tokens for less.
 */
export function scheduleOfGiven(price: GivenPrice, system: SystemPrice | undefined): Schedule {
  const input = flatRate(price.input_cost_per_million);
  const output = flatRate(price.output_cost_per_million);
  const rates = (known?: Rates): Rates => {
    const cached = (given: number | null, listed?: Rate): Rate => {
      if (given !== null) return flatRate(given);
      if (!known || !listed || known.input.base === 0) return input;
      return flatRate((input.base * listed.base) / known.input.base);
    };
    return {
      input,
      output,
      cacheRead: cached(price.cache_read_cost_per_million, known?.cacheRead),
      cacheWrite: cached(price.cache_write_cost_per_million, known?.cacheWrite),
      perCall: 0,
    };
  };
  if (!system) return always(rates());
  const [first, ...rest] = system.schedule;
  const given = (period: Schedule[number]) => ({ ...period, rates: rates(period.rates) });
  return [given(first), ...rest.map(given)];
}
