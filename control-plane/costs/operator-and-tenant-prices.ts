import { readingsOf, releaseSuffixLength, priceQueryOf } from './model-names.ts';
import { alwaysAt, flatRate, type Rate, type Rates, type Schedule } from './rate-schedule.ts';
import { closestMatch, type SystemMatch, type SystemPrice } from './provider-price-list.ts';

/** A price set by an operator or a tenant, in USD per million tokens. */
export interface ConfiguredPrice {
  /**
   * With a provider prefix, such as `groq/…`, the price applies to that provider; otherwise to
   * every provider.
   */
  model_id: string;
  input_cost_per_million: number;
  output_cost_per_million: number;
  cache_read_cost_per_million: number | null;
  cache_write_cost_per_million: number | null;
}

export interface ConfiguredMatch<P extends ConfiguredPrice> {
  price: P;
  /** The number of characters of the name after the matched prefix. */
  rest: number;
}

/** Finds the price of a call's model; `system` is the match in the system table. */
export type FindConfigured<P extends ConfiguredPrice> = (
  provider: string | null,
  model: string,
  system: SystemMatch | undefined,
) => ConfiguredMatch<P> | undefined;

/**
 * Returns a function that finds the configured price of a model, which is the first of these:
 *
 * 1. the price for exactly this name;
 * 2. the price for the row of the system table that lists the name;
 * 3. the price with the longest id that is a prefix of the name. An id that ends in a separator
 *    (`acme/`, `our-`) counts as a match of the whole name. Another id is a prefix only of names
 *    that the system table does not list.
 */
export function findConfigured<P extends ConfiguredPrice>(prices: readonly P[]): FindConfigured<P> {
  if (prices.length === 0) return () => undefined;
  const byName = new Map(prices.flatMap((price) => keysOf(price).map((key) => [key, price])));
  const families = [...byName]
    .filter(([key]) => /[-/:.@_]$/.test(key))
    .sort(([a], [b]) => b.length - a.length);

  const find = (names: readonly string[]): P | undefined => {
    for (const name of names) {
      const price = byName.get(name);
      if (price) return price;
    }
    return undefined;
  };

  return (provider, model, system) => {
    const names = namesOf(provider, model);
    const isListed = system?.rest === 0;
    const price = find(names) ?? (isListed ? find(idsOf(system.price)) : undefined);
    if (price) return { price, rest: 0 };
    const family = longestPrefixMatch(families, names);
    if (isListed) return family && { price: family.price, rest: 0 };
    const prefix = closestMatch([
      ...names.flatMap((name) => shorterMatch(name, byName)),
      ...(system ? withRest(find(idsOf(system.price)), system.rest) : []),
    ]);
    if (family && (!prefix || family.rest <= prefix.rest)) return { price: family.price, rest: 0 };
    return prefix;
  };
}

/**
 * Returns the longest of the ids that end in a separator and are a prefix of one of these names.
 */
function longestPrefixMatch<P extends ConfiguredPrice>(
  families: readonly (readonly [string, P])[],
  names: readonly string[],
): ConfiguredMatch<P> | undefined {
  for (const [key, price] of families) {
    const name = names.find((one) => one.startsWith(key));
    if (name !== undefined) return { price, rest: name.length - key.length };
  }
  return undefined;
}

function shorterMatch<P extends ConfiguredPrice>(
  name: string,
  byName: ReadonlyMap<string, P>,
): ConfiguredMatch<P>[] {
  for (const prefix of priceQueryOf(name).prefixes) {
    const price = byName.get(prefix);
    if (price) return [{ price, rest: releaseSuffixLength(name, prefix.length) }];
  }
  return [];
}

const withRest = <P extends ConfiguredPrice>(
  price: P | undefined,
  rest: number,
): ConfiguredMatch<P>[] => (price ? [{ price, rest }] : []);

/** Returns the id as written, and with the price table's name of its provider. */
function keysOf({ model_id }: ConfiguredPrice): string[] {
  const written = model_id.toLowerCase();
  const [, read] = readingsOf(null, model_id);
  return read?.provider ? [written, `${read.provider}/${read.name}`] : [written];
}

/** Returns all names under which a call's model may be listed, those with a provider first. */
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
 * Returns the rates of a configured price. A cache rate that is not set keeps its ratio to the
 * input rate, because a discount on a model also applies to its cached tokens.
 */
export function scheduleOfConfigured(
  price: ConfiguredPrice,
  system: SystemPrice | undefined,
): Schedule {
  const input = flatRate(price.input_cost_per_million);
  const output = flatRate(price.output_cost_per_million);
  const rates = (systemRates?: Rates): Rates => {
    const cached = (override: number | null, listed?: Rate): Rate => {
      if (override !== null) return flatRate(override);
      if (!systemRates || !listed || systemRates.input.base === 0) return input;
      return flatRate((input.base * listed.base) / systemRates.input.base);
    };
    return {
      input,
      output,
      cacheRead: cached(price.cache_read_cost_per_million, systemRates?.cacheRead),
      cacheWrite: cached(price.cache_write_cost_per_million, systemRates?.cacheWrite),
      perCall: 0,
    };
  };
  if (!system) return alwaysAt(rates());
  const [first, ...rest] = system.schedule;
  const withGivenRates = (period: Schedule[number]) => ({ ...period, rates: rates(period.rates) });
  return [withGivenRates(first), ...rest.map(withGivenRates)];
}
