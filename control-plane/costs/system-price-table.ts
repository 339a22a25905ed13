import { type Provider, waitForUpdate } from '@pydantic/genai-prices';
import { withCorrections } from './price-package-corrections.ts';
import {
  isOpen,
  readingsOf,
  releaseSuffixLength,
  type PriceQuery,
  priceQueryOf,
} from './model-names.ts';
import {
  closestMatch,
  findPrice,
  type PriceList,
  priceListOf,
  type SystemMatch,
  type SystemPrice,
} from './provider-price-list.ts';

export interface ListedPrice extends SystemPrice {
  /** A unique name, by which the row is found. */
  model_id: string;
}

export interface SystemTable {
  /** Finds the price of a model by any of its names; undefined if not even a prefix is listed. */
  find(provider: string | null, model: string): SystemMatch | undefined;
  list(): readonly ListedPrice[];
}

/** Makers that bill their own models, in lookup order for names without a provider. */
const MAKERS = [
  'anthropic',
  'openai',
  'google',
  'mistral',
  'deepseek',
  'x-ai',
  'cohere',
  'moonshotai',
  'zhipuai',
  'zai',
  'minimax',
  'perplexity',
  'voyageai',
  'arcee',
  'cursor',
  'typesafe',
];

// Bedrock's format is an optional region, the maker and the model, separated by dots.
const BEDROCK =
  /^(?:([a-z-]+)\.)?(?:ai21|amazon|anthropic|cohere|deepseek|google|meta|minimax|mistral|moonshot|nvidia|openai|qwen|writer)\.[a-z]/;

/** Loads the prices shipped with the package, as of its publication. Nothing is fetched. */
export async function loadSystemTable(): Promise<SystemTable> {
  return systemTableOf(withCorrections((await waitForUpdate()) ?? []));
}

export function systemTableOf(providers: readonly Provider[]): SystemTable {
  const lists = new Map(providers.map((provider) => [provider.id, priceListOf(provider)]));
  const find: SystemTable['find'] = (provider, model) => {
    const readings = readingsOf(provider, model);
    const matches: (SystemMatch | undefined)[] = [];
    for (const { provider: named, name } of readings) {
      const match = named === null ? undefined : findAt(lists, named, priceQueryOf(name));
      if (match?.rest === 0) return match;
      matches.push(match);
    }
    // OpenAI's client is used with any server, and reports the provider as OpenAI.
    const last = readings.at(-1);
    if (last && isOpen(last.provider))
      matches.push(findAnywhere(lists, priceQueryOf(last.name), model));
    return closestMatch(matches);
  };
  return { find, list: once(() => listed(lists, find)) };
}

/**
 * Lists prices by the bare name if that identifies the row regardless of case, and otherwise by the
 * name with its provider.
 */
function listed(lists: Lists, find: SystemTable['find']): ListedPrice[] {
  const prices = [...lists.values()].flatMap(({ exact }) => [...new Set(exact.values())]);
  return prices.map((price) => {
    const { name, provider } = price;
    const isUnique = [name, name.toLowerCase()].every((text) =>
      isListedAs(find(null, text), price),
    );
    return { ...price, model_id: isUnique ? name : `${provider}/${name}` };
  });
}

const isListedAs = (match: SystemMatch | undefined, price: SystemPrice): boolean =>
  match?.rest === 0 && match.price === price;

function once<T>(make: () => T): () => T {
  let cached: { value: T } | undefined;
  return () => (cached ??= { value: make() }).value;
}

type Lists = ReadonlyMap<string, PriceList>;

/** Finds the price at a provider, or at those whose models it sells. */
function findAt(lists: Lists, provider: string, query: PriceQuery): SystemMatch | undefined {
  const list = lists.get(provider);
  if (!list) return undefined;
  const own = findPrice(list, query);
  if (own?.rest === 0) return own;
  return closestMatch([
    own,
    provider === 'aws' ? inNoRegion(list, query.name) : undefined,
    findAmong(lists, list.resells, query),
  ]);
}

function inNoRegion(list: PriceList, name: string): SystemMatch | undefined {
  const region = BEDROCK.exec(name)?.[1];
  return region ? findPrice(list, priceQueryOf(name.slice(region.length + 1))) : undefined;
}

/**
 * Finds a price without a provider: the maker's price, or the price that is the same at all hosts.
 */
function findAnywhere(lists: Lists, query: PriceQuery, original: string): SystemMatch | undefined {
  const { name } = query;
  if (BEDROCK.test(name)) return findAt(lists, 'aws', query);
  const ofMaker = name.includes('/')
    ? slugMatch(lists, query, original)
    : findAmong(lists, MAKERS, query);
  return ofMaker?.rest === 0 ? ofMaker : closestMatch([ofMaker, agreedMatch(lists, query)]);
}

/**
 * Finds a name of OpenRouter, which writes `maker/model` in lower case. Self-hosted open models
 * usually keep their case.
 */
function slugMatch(lists: Lists, query: PriceQuery, original: string): SystemMatch | undefined {
  const list = original === query.name ? lists.get('openrouter') : undefined;
  return list && findBy(query, (text) => list.exact.get(text));
}

const agreedMatch = (lists: Lists, query: PriceQuery): SystemMatch | undefined =>
  findBy(query, (text) => agreedPrice(lists, text));

function agreedPrice(lists: Lists, name: string): SystemPrice | undefined {
  // The price in a Copilot subscription does not apply anywhere else.
  const [first, ...others] = [...lists.values()]
    .flatMap(({ exact }) => exact.get(name) ?? [])
    .filter(({ provider }) => provider !== 'github-copilot');
  if (!first) return undefined;
  const price = JSON.stringify(first.schedule);
  return others.every(({ schedule }) => JSON.stringify(schedule) === price) ? first : undefined;
}

/** Finds the price of the whole name, or else of the longest listed prefix. */
function findBy(
  { name, prefixes }: PriceQuery,
  find: (text: string) => SystemPrice | undefined,
): SystemMatch | undefined {
  for (const text of [name, ...prefixes]) {
    const price = find(text);
    if (price) return { price, rest: releaseSuffixLength(name, text.length) };
  }
  return undefined;
}

function findAmong(
  lists: Lists,
  providers: readonly string[],
  query: PriceQuery,
): SystemMatch | undefined {
  return closestMatch(
    providers.map((provider) => {
      const list = lists.get(provider);
      return list && findPrice(list, query);
    }),
  );
}
