import { PROVIDER_NAMES, RUNS_LOCALLY } from './provider-names.ts';

/** One way to understand a model's name: with the provider that stood before it, if one did. */
export interface Reading {
  provider: string | null;
  name: string;
}

/** These pass on what others make, or their client libraries speak to anybody. */
const OPEN_PROVIDERS = new Set(['openai', 'anthropic', 'openrouter']);

const REGION = /^(?:us|eu|uk|jp|au|apac|global|global-standard|[a-z]{2}(?:-[a-z]+)+-\d+)$/;
const PLUMBING = new Set([
  'models',
  'publishers',
  'converse',
  'invoke',
  'litellm',
  'litellm_proxy',
]);
const RESOURCE = /^(?:arn:aws[^/]*:bedrock:[^/]*|projects\/[^/]+\/locations\/[^/]+)\//;

/**
 * The ways to read a name, most literal first: `openrouter/openai/gpt-4o` is a name of no provider,
 * `openai/gpt-4o` of OpenRouter, and `gpt-4o` of OpenAI. Names are lower case. Empty when the
 * model runs on hardware of its user, who pays nobody by the token.
 */
export function readingsOf(stated: string | null, model: string): Reading[] {
  if (stated && RUNS_LOCALLY.test(stated)) return [];
  let provider = stated === null ? null : providerNamed(stated);
  let name = model.trim().toLowerCase();
  const readings: Reading[] = [{ provider, name }];
  for (let head = headOf(name); head; head = headOf(name)) {
    if (RUNS_LOCALLY.test(head.text)) return [];
    const named = head.provider ?? provider;
    // Who hosts a model sets its price, not who made it.
    if (isOpen(provider)) provider = named;
    name = name.slice(head.length);
    readings.push({ provider, name });
  }
  return readings;
}

/** Does a model that this provider does not list perhaps come from another one? */
export const isOpen = (provider: string | null): boolean =>
  provider === null || OPEN_PROVIDERS.has(provider);

interface Head {
  text: string;
  /** Including what divides it from the rest. */
  length: number;
  provider: string | null;
}

/** What stands before the model's own name: a provider, a region or a piece of an address. */
function headOf(name: string): Head | null {
  const resource = RESOURCE.exec(name)?.[0];
  if (resource) {
    const provider = resource.startsWith('arn:') ? 'aws' : null;
    return { text: resource, length: resource.length, provider };
  }
  const [, text = '', sign] = /^([^/:]+)([/:])./.exec(name) ?? [];
  if (!text) return null;
  const provider = providerNamed(text, MEANS_ONLY_HOW);
  const isHead =
    provider !== null ||
    RUNS_LOCALLY.test(text) ||
    (sign === '/' && (PLUMBING.has(text) || REGION.test(text)));
  return isHead ? { text, length: text.length + 1, provider } : null;
}

/** What clients put behind a provider's name to say by which of its interfaces. */
const MEANS_ONLY_HOW = /^(?:ai|beta|chat|converse|gla|inference|responses|vertex)$/;

/**
 * The price table's id of a provider, by any of the names it goes by: `bedrock`, `azure.ai.openai`,
 * `google-vertex`, `openai.chat`. Null for a name that means nothing to us.
 *
 * @param droppable which words at its end may go unread; all of them where the name is sure to be
 * a provider's. Before a model's name it is not: `mistral-nemo:free` begins with none.
 */
export function providerNamed(name: string, droppable = /^/): string | null {
  const words = name.toLowerCase().split(/[\s._-]+/);
  for (;;) {
    const id = PROVIDER_NAMES.get(words.join('-'));
    if (id) return id;
    const last = words.pop() ?? '';
    if (words.length === 0 || !droppable.test(last)) return null;
  }
}

const KIND = '-(?:latest|default|preview(?:-customtools)?|exp|experimental)';
const DAY = '(?:0[1-9]|[12]\\d|3[01])';
const MONTH = '(?:0[1-9]|1[0-2])';
const DATE = `20\\d\\d-?${MONTH}-?${DAY}|${MONTH}-?${DAY}|${MONTH}-20\\d\\d|00\\d`;
const YEAR_AND_MONTH = `2[3-9]${MONTH}`;
const PLACE = '@(?:latest|default|(?:us|eu|europe|asia|global)(?:-[a-z]+\\d+)?)';
const VERSION = '(?:-v\\d+)?(?::\\d(?::\\d+k)?)';

const issue = (dates: string): RegExp =>
  new RegExp(`^(.+?)(?:${KIND})?(?:[-@](?:${dates}))?(?:${PLACE})?(?:${VERSION})?$`);
const ISSUE = issue(DATE);
const MONTHLY_ISSUE = issue(`${DATE}|${YEAR_AND_MONTH}`);

/**
 * A name without what tells issues of one model apart: a date, `latest`, `preview`, a place or a
 * version tag like `-v1:0`. Whatever else a name goes on with makes it another model.
 */
export const stemOf = (name: string): string => ISSUE.exec(name)?.[1] ?? name;

/**
 * The same, where `-2509` is a date too. Some makers number their models that way, so it is one
 * only where the price table says that every model that begins like this has one price.
 */
export const monthlyStemOf = (name: string): string => MONTHLY_ISSUE.exec(name)?.[1] ?? name;

const SAME_MODEL = new RegExp(`^(?:${PLACE})?(?:${VERSION})?$`);

/**
 * How much stands in a name behind its first `end` characters: 0 where it is the same model at a
 * place, or Bedrock's version tag, without which its names are not complete.
 */
export const restBehind = (name: string, end: number): number =>
  SAME_MODEL.test(name.slice(end)) ? 0 : name.length - end;

/** A name in lower case that is looked for in one list after another. */
export interface PriceQuery {
  name: string;
  /** What stands before a `-` or `:`, or before a date or place behind `@`; longest first. */
  beginnings: readonly string[];
}

// Names come from clients: one made of dividers must not cost more than any other.
const MOST_BEGINNINGS = 16;

export function wantedOf(name: string): PriceQuery {
  const model = name.lastIndexOf('/') + 1;
  const beginnings = [stemOf(name)].filter((stem) => stem !== name);
  for (let end = name.length - 1; end > model; end -= 1) {
    if (beginnings.length >= MOST_BEGINNINGS) break;
    if (name[end] === '-' || name[end] === ':') beginnings.push(name.slice(0, end));
  }
  return { name, beginnings: beginnings.toSorted((a, b) => b.length - a.length) };
}
