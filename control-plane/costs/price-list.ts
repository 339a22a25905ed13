import type { ModelInfo, Provider } from '@pydantic/genai-prices';
import { isMatch, type Names, namesOf } from './matching.ts';
import { type Schedule, scheduleOf } from './rates.ts';

/** What a provider bills for a model. */
export interface SystemPrice {
  /** Its provider's name for it. */
  name: string;
  provider: string;
  schedule: Schedule;
}

/** What one provider bills, by its names for it. */
export interface PriceList {
  exact: ReadonlyMap<string, SystemPrice>;
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
  parts.sort((a, b) => b.text.length - a.text.length);
  return { exact, parts, resells: provider.fallback_model_providers ?? [] };
}

function rowOf(provider: Provider, model: ModelInfo) {
  const schedule = scheduleOf(model);
  if (!schedule) return [];
  const price: SystemPrice = { name: model.id, provider: provider.id, schedule };
  const names = namesOf(model.match);
  // Nobody pays too much or too little for what is free: there the rule may be as wide as it is.
  if (isFree(model)) names.parts.push({ text: '', accepts: (name) => isMatch(model.match, name) });
  return [{ price, names }];
}

const isFree = ({ prices }: ModelInfo): boolean =>
  !Array.isArray(prices) && Object.keys(prices).length === 0;

/** By a name in lower case; `stem` is what `stemOf` makes of it. */
export const findIn = (
  { exact, parts }: PriceList,
  name: string,
  stem: string,
): SystemPrice | undefined =>
  exact.get(name) ??
  parts.find((part) => part.accepts(name) && isSameVersion(part.price.name, name))?.price ??
  exact.get(stem);

/** Bedrock counts versions in its names: `…-text-v2:0` is not `…-text-v1`. */
function isSameVersion(id: string, name: string): boolean {
  const [a, b] = [id, name].map((text) => /-v(\d+)(?=:|$)/.exec(text)?.[1]);
  return a === undefined || b === undefined || a === b;
}
