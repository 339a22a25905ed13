import { type Provider, waitForUpdate } from '@pydantic/genai-prices';
import { corrected } from './corrections.ts';
import { isOpen, readingsOf, restBehind, type PriceQuery, wantedOf } from './names.ts';
import {
  best,
  findIn,
  type PriceList,
  priceListOf,
  type SystemMatch,
  type SystemPrice,
} from './price-list.ts';

export interface ListedPrice extends SystemPrice {
  /** A name that no other row has, and by which this one is found. */
  model_id: string;
}

export interface SystemTable {
  /** The price of a model under whatever name; undefined when not even its beginning is listed. */
  find(provider: string | null, model: string): SystemMatch | undefined;
  list(): readonly ListedPrice[];
}

/** Makers that bill their own models, asked in this order about a name without a provider. */
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

// Bedrock's own form: perhaps a region, then the maker, then the model, divided by dots.
const BEDROCK =
  /^(?:([a-z-]+)\.)?(?:ai21|amazon|anthropic|cohere|deepseek|google|meta|minimax|mistral|moonshot|nvidia|openai|qwen|writer)\.[a-z]/;

/** The prices that come with the package, as they were when it was published. Nothing is fetched. */
export async function loadSystemTable(): Promise<SystemTable> {
  return systemTableOf(corrected((await waitForUpdate()) ?? []));
}

export function systemTableOf(providers: readonly Provider[]): SystemTable {
  const lists = new Map(providers.map((provider) => [provider.id, priceListOf(provider)]));
  const find: SystemTable['find'] = (provider, model) => {
    const readings = readingsOf(provider, model);
    const matches: (SystemMatch | undefined)[] = [];
    for (const { provider: named, name } of readings) {
      const match = named === null ? undefined : findAt(lists, named, wantedOf(name));
      if (match?.rest === 0) return match;
      matches.push(match);
    }
    // An OpenAI client speaks to anybody, and says that it is OpenAI's.
    const last = readings.at(-1);
    if (last && isOpen(last.provider))
      matches.push(findAnywhere(lists, wantedOf(last.name), model));
    return best(matches);
  };
  return { find, list: once(() => listed(lists, find)) };
}

/** The bare name where that is enough to find a row, however it is written, else led by the provider. */
function listed(lists: Lists, find: SystemTable['find']): ListedPrice[] {
  const prices = [...lists.values()].flatMap(({ exact }) => [...new Set(exact.values())]);
  return prices.map((price) => {
    const { name, provider } = price;
    const isEnough = [name, name.toLowerCase()].every((text) =>
      isListedAs(find(null, text), price),
    );
    return { ...price, model_id: isEnough ? name : `${provider}/${name}` };
  });
}

const isListedAs = (match: SystemMatch | undefined, price: SystemPrice): boolean =>
  match?.rest === 0 && match.price === price;

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

type Lists = ReadonlyMap<string, PriceList>;

/** At one provider, or at those whose models it sells. */
function findAt(lists: Lists, provider: string, wanted: PriceQuery): SystemMatch | undefined {
  const list = lists.get(provider);
  if (!list) return undefined;
  const own = findIn(list, wanted);
  if (own?.rest === 0) return own;
  return best([
    own,
    provider === 'aws' ? inNoRegion(list, wanted.name) : undefined,
    findAmong(lists, list.resells, wanted),
  ]);
}

function inNoRegion(list: PriceList, name: string): SystemMatch | undefined {
  const region = BEDROCK.exec(name)?.[1];
  return region ? findIn(list, wantedOf(name.slice(region.length + 1))) : undefined;
}

/** With no provider to go by: its maker's price, or the one that all who host it agree on. */
function findAnywhere(lists: Lists, wanted: PriceQuery, given: string): SystemMatch | undefined {
  const { name } = wanted;
  if (BEDROCK.test(name)) return findAt(lists, 'aws', wanted);
  const ofMaker = name.includes('/')
    ? slugMatch(lists, wanted, given)
    : findAmong(lists, MAKERS, wanted);
  return ofMaker?.rest === 0 ? ofMaker : best([ofMaker, agreedMatch(lists, wanted)]);
}

/** OpenRouter writes `maker/model` in lower case; those who run open models themselves do not. */
function slugMatch(lists: Lists, wanted: PriceQuery, given: string): SystemMatch | undefined {
  const list = given === wanted.name ? lists.get('openrouter') : undefined;
  return list && findBy(wanted, (text) => list.exact.get(text));
}

const agreedMatch = (lists: Lists, wanted: PriceQuery): SystemMatch | undefined =>
  findBy(wanted, (text) => agreedPrice(lists, text));

function agreedPrice(lists: Lists, name: string): SystemPrice | undefined {
  // What a Copilot subscription charges says nothing of anybody else.
  const [first, ...others] = [...lists.values()]
    .flatMap(({ exact }) => exact.get(name) ?? [])
    .filter(({ provider }) => provider !== 'github-copilot');
  if (!first) return undefined;
  const price = JSON.stringify(first.schedule);
  return others.every(({ schedule }) => JSON.stringify(schedule) === price) ? first : undefined;
}

/** By all of a name, or else by the longest beginning that is found. */
function findBy(
  { name, beginnings }: PriceQuery,
  find: (text: string) => SystemPrice | undefined,
): SystemMatch | undefined {
  for (const text of [name, ...beginnings]) {
    const price = find(text);
    if (price) return { price, rest: restBehind(name, text.length) };
  }
  return undefined;
}

function findAmong(
  lists: Lists,
  providers: readonly string[],
  wanted: PriceQuery,
): SystemMatch | undefined {
  return best(
    providers.map((provider) => {
      const list = lists.get(provider);
      return list && findIn(list, wanted);
    }),
  );
}
