import type { ModelInfo, Provider } from '@pydantic/genai-prices';
import { matchesRule, type RuleNames, ruleNamesOf } from './model-patterns.ts';
import { releaseSuffixLength, type PriceQuery } from './model-names.ts';
import { type Schedule, scheduleOf } from './rate-schedule.ts';

/** A provider's list price of a model, from the package `@pydantic/genai-prices`. */
export interface SystemPrice {
  /** The provider's name of the model. */
  name: string;
  provider: string;
  schedule: Schedule;
}

/** The price for a name. `rest` is 0 if the table lists the name itself. */
export interface SystemMatch {
  price: SystemPrice;
  /** The number of characters of the name after the listed prefix. */
  rest: number;
}

/** The prices of a provider, by its model names. */
export interface PriceList {
  exact: ReadonlyMap<string, SystemPrice>;
  /** All names contained in rules, which may be prefixes of longer names. */
  spelled: ReadonlyMap<string, SystemPrice>;
  /** Longest first, because a rule fits better if it matches more of a name. */
  parts: readonly PricedPart[];
  /** The providers whose models are sold here at their own prices. */
  resells: readonly string[];
}

type PricedPart = RuleNames['parts'][number] & { price: SystemPrice };

export function priceListOf(provider: Provider): PriceList {
  const exact = new Map<string, SystemPrice>();
  const parts: PricedPart[] = [];
  const rows = provider.models.flatMap((model) => rowOf(provider, model));
  // The id of a model takes precedence over the rules of other models.
  for (const { price } of rows) exact.set(price.name.toLowerCase(), price);
  for (const { price, names } of rows) {
    for (const name of names.exact) if (!exact.has(name)) exact.set(name, price);
    parts.push(...names.parts.map((part) => ({ ...part, price })));
  }
  parts.sort((a, b) => (b.text?.length ?? 0) - (a.text?.length ?? 0));
  const spelled = new Map(exact);
  for (const { text, nameEndIn, price } of parts)
    if (text !== null && !spelled.has(text) && nameEndIn(text) === text.length)
      spelled.set(text, price);
  return { exact, spelled, parts, resells: provider.fallback_model_providers ?? [] };
}

function rowOf(provider: Provider, model: ModelInfo) {
  const schedule = scheduleOf(model);
  if (!schedule) return [];
  const price: SystemPrice = { name: model.id, provider: provider.id, schedule };
  const names = ruleNamesOf(model.match);
  // For a free model a broad rule does no harm, so it is used unchanged.
  if (isFree(model))
    names.parts.push({
      text: null,
      nameEndIn: (name) => (matchesRule(model.match, name) ? name.length : undefined),
    });
  return [{ price, names }];
}

const isFree = ({ prices }: ModelInfo): boolean =>
  !Array.isArray(prices) && Object.keys(prices).length === 0;

/** Returns the price of the whole name, or else of the longest listed prefix. */
export function findPrice(list: PriceList, query: PriceQuery): SystemMatch | undefined {
  const whole = list.exact.get(query.name);
  if (whole) return { price: whole, rest: 0 };
  return closestMatch([matchOfPart(list, query.name), matchOfPrefix(list, query)]);
}

/** Returns the match with the smallest rest, and the first among equals. */
export const closestMatch = <M extends { rest: number }>(
  matches: readonly (M | undefined)[],
): M | undefined => matches.reduce((a, b) => (a && b && b.rest < a.rest ? b : (a ?? b)), undefined);

function matchOfPart({ parts }: PriceList, name: string): SystemMatch | undefined {
  for (const { price, nameEndIn } of parts) {
    const end = nameEndIn(name);
    if (end !== undefined && isSameVersion(price.name, name))
      return { price, rest: releaseSuffixLength(name, end) };
  }
  return undefined;
}

function matchOfPrefix(
  { spelled }: PriceList,
  { name, prefixes }: PriceQuery,
): SystemMatch | undefined {
  for (const prefix of prefixes) {
    const price = spelled.get(prefix);
    if (price && isSameVersion(price.name, name))
      return { price, rest: releaseSuffixLength(name, prefix.length) };
  }
  return undefined;
}

/** Whether names have the same version in Bedrock's format: `…-text-v2:0` is not `…-text-v1`. */
function isSameVersion(id: string, name: string): boolean {
  const [a, b] = [id, name].map((text) => /-v(\d+)(?=:|$)/.exec(text)?.[1]);
  return a === undefined || b === undefined || a === b;
}
