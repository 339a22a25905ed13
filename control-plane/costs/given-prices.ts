import { readingsOf, restBehind, wantedOf } from './names.ts';
import { always, flatRate, type Rate, type Rates, type Schedule } from './rates.ts';
import { best, type SystemMatch, type SystemPrice } from './price-list.ts';

/** A price that an operator or a tenant gives. USD per million tokens. */
export interface GivenPrice {
  /** With a provider before it, like `groq/…`, it holds there; else wherever the model runs. */
  model_id: string;
  input_cost_per_million: number;
  output_cost_per_million: number;
  cache_read_cost_per_million: number | null;
  cache_write_cost_per_million: number | null;
}

export interface GivenMatch<P extends GivenPrice> {
  price: P;
  /** How many characters at the end of the name stand behind the one that has the price. */
  rest: number;
}

/** Looks up what one call used; `system` is what the system table has for it. */
export type FindGiven<P extends GivenPrice> = (
  provider: string | null,
  model: string,
  system: SystemMatch | undefined,
) => GivenMatch<P> | undefined;

/**
 * By the name, or the row of the system table that lists it. Else by the longest beginning: an id
 * that ends in a divider (`acme/`, `our-`) is for all names that begin with it, also for those that
 * the table lists; any other only for names that the table does not list.
 */
export function findAmong<P extends GivenPrice>(prices: readonly P[]): FindGiven<P> {
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
    const family = familyOf(families, names);
    if (isListed) return family && { price: family.price, rest: 0 };
    const beginning = best([
      ...names.flatMap((name) => shorterMatch(name, byName)),
      ...(system ? withRest(find(idsOf(system.price)), system.rest) : []),
    ]);
    if (family && (!beginning || family.rest <= beginning.rest))
      return { price: family.price, rest: 0 };
    return beginning;
  };
}

/** The longest of the ids that end in a divider and begin one of these names. */
function familyOf<P extends GivenPrice>(
  families: readonly (readonly [string, P])[],
  names: readonly string[],
): GivenMatch<P> | undefined {
  for (const [key, price] of families) {
    const name = names.find((one) => one.startsWith(key));
    if (name !== undefined) return { price, rest: name.length - key.length };
  }
  return undefined;
}

function shorterMatch<P extends GivenPrice>(
  name: string,
  byName: ReadonlyMap<string, P>,
): GivenMatch<P>[] {
  for (const beginning of wantedOf(name).beginnings) {
    const price = byName.get(beginning);
    if (price) return [{ price, rest: restBehind(name, beginning.length) }];
  }
  return [];
}

const withRest = <P extends GivenPrice>(price: P | undefined, rest: number): GivenMatch<P>[] =>
  price ? [{ price, rest }] : [];

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
