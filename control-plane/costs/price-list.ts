import type { ModelInfo, Provider } from '@pydantic/genai-prices';
import { isMatch, type Names, namesOf } from './matching.ts';
import { restBehind, type PriceQuery } from './names.ts';
import { type Schedule, scheduleOf } from './rates.ts';

/** What a provider bills for a model. */
export interface SystemPrice {
  /** Its provider's name for it. */
  name: string;
  provider: string;
  schedule: Schedule;
}

/** The price of a name, and how much of it says nothing to the table: 0 where it lists the name. */
export interface SystemMatch {
  price: SystemPrice;
  /** How many characters at the end of the name stand behind the one that is listed. */
  rest: number;
}

/** What one provider bills, by its names for it. */
export interface PriceList {
  exact: ReadonlyMap<string, SystemPrice>;
  /** Every name that a rule spells; longer ones may begin with it. */
  spelled: ReadonlyMap<string, SystemPrice>;
  /** The longest first: the more a rule says of a name, the better it fits. */
  parts: readonly PricedPart[];
  /** Providers whose models it sells at their prices. */
  resells: readonly string[];
}

type PricedPart = Names['parts'][number] & { price: SystemPrice };

export function priceListOf(provider: Provider): PriceList {
  const exact = new Map<string, SystemPrice>();
  const parts: PricedPart[] = [];
  const rows = provider.models.flatMap((model) => rowOf(provider, model));
  // A model's id is its name, whatever rule of another model may say of it.
  for (const { price } of rows) exact.set(price.name.toLowerCase(), price);
  for (const { price, names } of rows) {
    for (const name of names.exact) if (!exact.has(name)) exact.set(name, price);
    parts.push(...names.parts.map((part) => ({ ...part, price })));
  }
  parts.sort((a, b) => (b.text?.length ?? 0) - (a.text?.length ?? 0));
  const spelled = new Map(exact);
  for (const { text, endIn, price } of parts)
    if (text !== null && !spelled.has(text) && endIn(text) === text.length)
      spelled.set(text, price);
  return { exact, spelled, parts, resells: provider.fallback_model_providers ?? [] };
}

function rowOf(provider: Provider, model: ModelInfo) {
  const schedule = scheduleOf(model);
  if (!schedule) return [];
  const price: SystemPrice = { name: model.id, provider: provider.id, schedule };
  const names = namesOf(model.match);
  // Nobody pays too much or too little for what is free: there the rule may be as wide as it is.
  if (isFree(model))
    names.parts.push({
      text: null,
      endIn: (name) => (isMatch(model.match, name) ? name.length : undefined),
    });
  return [{ price, names }];
}

const isFree = ({ prices }: ModelInfo): boolean =>
  !Array.isArray(prices) && Object.keys(prices).length === 0;

/** By all of a name, or else by the longest listed one that it begins with. */
export function findIn(list: PriceList, wanted: PriceQuery): SystemMatch | undefined {
  const whole = list.exact.get(wanted.name);
  if (whole) return { price: whole, rest: 0 };
  return best([matchOfPart(list, wanted.name), matchOfBeginning(list, wanted)]);
}

/** The one that leaves least of the name; of several the first. */
export const best = <M extends { rest: number }>(
  matches: readonly (M | undefined)[],
): M | undefined => matches.reduce((a, b) => (a && b && b.rest < a.rest ? b : (a ?? b)), undefined);

function matchOfPart({ parts }: PriceList, name: string): SystemMatch | undefined {
  for (const { price, endIn } of parts) {
    const end = endIn(name);
    if (end !== undefined && isSameVersion(price.name, name))
      return { price, rest: restBehind(name, end) };
  }
  return undefined;
}

function matchOfBeginning(
  { spelled }: PriceList,
  { name, beginnings }: PriceQuery,
): SystemMatch | undefined {
  for (const beginning of beginnings) {
    const price = spelled.get(beginning);
    if (price && isSameVersion(price.name, name))
      return { price, rest: restBehind(name, beginning.length) };
  }
  return undefined;
}

/** Bedrock counts versions in its names: `…-text-v2:0` is not `…-text-v1`. */
function isSameVersion(id: string, name: string): boolean {
  const [a, b] = [id, name].map((text) => /-v(\d+)(?=:|$)/.exec(text)?.[1]);
  return a === undefined || b === undefined || a === b;
}
