import { type Provider, waitForUpdate } from '@pydantic/genai-prices';
import { isOpen, readingsOf, stemOf } from './names.ts';
import { findIn, type PriceList, priceListOf, type SystemPrice } from './price-list.ts';

export interface ListedPrice extends SystemPrice {
  /** A name that no other row has, and by which this one is found. */
  model_id: string;
}

export interface SystemTable {
  /** The price of a model under whatever name; undefined when nobody knows it. */
  find(provider: string | null, model: string): SystemPrice | undefined;
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
  return systemTableOf((await waitForUpdate()) ?? []);
}

export function systemTableOf(providers: readonly Provider[]): SystemTable {
  const lists = new Map(providers.map((provider) => [provider.id, priceListOf(provider)]));
  const find: SystemTable['find'] = (provider, model) => {
    const readings = readingsOf(provider, model);
    for (const { provider: named, name } of readings) {
      const found = named === null ? undefined : findAt(lists, named, name);
      if (found) return found;
    }
    // An OpenAI client speaks to anybody, and says that it is OpenAI's.
    const last = readings.at(-1);
    return last && isOpen(last.provider) ? findAnywhere(lists, last.name, model) : undefined;
  };
  return { find, list: once(() => listed(lists, find)) };
}

/** The bare name where that is enough to find a row, however it is written, else led by the provider. */
function listed(lists: Lists, find: SystemTable['find']): ListedPrice[] {
  const prices = [...lists.values()].flatMap(({ exact }) => [...new Set(exact.values())]);
  return prices.map((price) => {
    const { name, provider } = price;
    const isEnough = [name, name.toLowerCase()].every((text) => find(null, text) === price);
    return { ...price, model_id: isEnough ? name : `${provider}/${name}` };
  });
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

type Lists = ReadonlyMap<string, PriceList>;

/** At one provider, or at those whose models it sells. */
function findAt(lists: Lists, provider: string, name: string): SystemPrice | undefined {
  const list = lists.get(provider);
  if (!list) return undefined;
  const stem = stemOf(name);
  const found =
    findIn(list, name, stem) ?? (provider === 'aws' ? inNoRegion(list, name) : undefined);
  return found ?? firstOf(lists, list.resells, { name, stem });
}

function inNoRegion(list: PriceList, name: string): SystemPrice | undefined {
  const region = BEDROCK.exec(name)?.[1];
  if (!region) return undefined;
  const rest = name.slice(region.length + 1);
  return findIn(list, rest, stemOf(rest));
}

/** With no provider to go by: its maker's price, or the one that all who host it agree on. */
function findAnywhere(lists: Lists, name: string, given: string): SystemPrice | undefined {
  if (BEDROCK.test(name)) return findAt(lists, 'aws', name);
  const bare = !name.includes('/');
  // OpenRouter writes `maker/model` in lower case; those who run open models themselves do not.
  const slug = given === name ? lists.get('openrouter')?.exact.get(name) : undefined;
  const own = bare ? firstOf(lists, MAKERS, { name, stem: stemOf(name) }) : slug;
  if (own) return own;
  // What a Copilot subscription charges says nothing of anybody else.
  const [first, ...others] = [...lists.values()]
    .flatMap(({ exact }) => exact.get(name) ?? [])
    .filter(({ provider }) => provider !== 'github-copilot');
  const price = JSON.stringify(first?.schedule);
  return others.every(({ schedule }) => JSON.stringify(schedule) === price) ? first : undefined;
}

function firstOf(
  lists: Lists,
  providers: readonly string[],
  { name, stem }: { name: string; stem: string },
): SystemPrice | undefined {
  for (const provider of providers) {
    const list = lists.get(provider);
    const found = list && findIn(list, name, stem);
    if (found) return found;
  }
  return undefined;
}
