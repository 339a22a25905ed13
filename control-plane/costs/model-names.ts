import { PROVIDER_NAMES, RUNS_LOCALLY } from './provider-names.ts';

/** One interpretation of a model name, with the provider from its prefix, if any. */
export interface ModelNameReading {
  provider: string | null;
  name: string;
}

/**
 * Providers that resell models of other makers, or whose client libraries are used with any server.
 */
const OPEN_PROVIDERS = new Set(['openai', 'anthropic', 'openrouter']);

const REGION = /^(?:us|eu|uk|jp|au|apac|global|global-standard|[a-z]{2}(?:-[a-z]+)+-\d+)$/;
const PATH_SEGMENTS = new Set([
  'models',
  'publishers',
  'converse',
  'invoke',
  'litellm',
  'litellm_proxy',
]);
const RESOURCE = /^(?:arn:aws[^/]*:bedrock:[^/]*|projects\/[^/]+\/locations\/[^/]+)\//;

/**
 * Returns the interpretations of a name, most literal first. For `openrouter/openai/gpt-4o` these
 * are the whole name without a provider, then `openai/gpt-4o` of OpenRouter, then `gpt-4o` of
 * OpenAI. Names are in lower case. There are none if the model runs on the user's own hardware,
 * where tokens are free.
 */
export function readingsOf(stated: string | null, model: string): ModelNameReading[] {
  if (stated && RUNS_LOCALLY.test(stated)) return [];
  let provider = stated === null ? null : providerNamed(stated);
  let name = model.trim().toLowerCase();
  const readings: ModelNameReading[] = [{ provider, name }];
  for (let head = headOf(name); head; head = headOf(name)) {
    if (RUNS_LOCALLY.test(head.text)) return [];
    const named = head.provider ?? provider;
    // The price of a model is set by its host, not by its maker.
    if (isOpen(provider)) provider = named;
    name = name.slice(head.length);
    readings.push({ provider, name });
  }
  return readings;
}

/** Whether a model that this provider does not list can come from another one. */
export const isOpen = (provider: string | null): boolean =>
  provider === null || OPEN_PROVIDERS.has(provider);

interface Head {
  text: string;
  /** Includes the separator. */
  length: number;
  provider: string | null;
}

/**
 * Returns the prefix before the model's own name: a provider, a region or part of a resource name.
 */
function headOf(name: string): Head | null {
  const resource = RESOURCE.exec(name)?.[0];
  if (resource) {
    const provider = resource.startsWith('arn:') ? 'aws' : null;
    return { text: resource, length: resource.length, provider };
  }
  const [, text = '', sign] = /^([^/:]+)([/:])./.exec(name) ?? [];
  if (!text) return null;
  const provider = providerNamed(text, API_SUFFIX);
  const isHead =
    provider !== null ||
    RUNS_LOCALLY.test(text) ||
    (sign === '/' && (PATH_SEGMENTS.has(text) || REGION.test(text)));
  return isHead ? { text, length: text.length + 1, provider } : null;
}

/** Suffixes of provider names that only state which API was used. */
const API_SUFFIX = /^(?:ai|beta|chat|converse|gla|inference|responses|vertex)$/;

/**
 * Returns the price table's id of a provider, by any of its names: `bedrock`, `azure.ai.openai`,
 * `google-vertex`, `openai.chat`. Returns null for an unknown name.
 *
 * @param droppable matches trailing words to ignore. The default, any word, is for names that are
 * known to be those of providers. For the prefix of a model name, pass `API_SUFFIX`: otherwise
 * `mistral-nemo:free` would count as the provider Mistral.
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
 * Returns a name without its release suffix: a date, `latest`, `preview`, a region or a version tag
 * like `-v1:0`. Any other suffix makes it another model.
 */
export const withoutReleaseSuffix = (name: string): string => ISSUE.exec(name)?.[1] ?? name;

/**
 * Does the same as `withoutReleaseSuffix`, with `-2509` as a date too. Some makers number models
 * that way, so it counts as a date only if the price table says that all models with this prefix
 * have the same price.
 */
export const withoutMonthlySuffix = (name: string): string => MONTHLY_ISSUE.exec(name)?.[1] ?? name;

const SAME_MODEL = new RegExp(`^(?:${PLACE})?(?:${VERSION})?$`);

/**
 * Returns the number of characters after the first `end`. It is 0 if these are only a region or
 * Bedrock's version tag, which is part of all its names.
 */
export const releaseSuffixLength = (name: string, end: number): number =>
  SAME_MODEL.test(name.slice(end)) ? 0 : name.length - end;

/** A lower-case name to look up in several lists. */
export interface PriceQuery {
  name: string;
  /** Prefixes before a `-` or `:`, or before a date or region after `@`, longest first. */
  prefixes: readonly string[];
}

// Names come from clients, and one with many separators must not cost more than others.
const MAX_PREFIXES = 16;

export function priceQueryOf(name: string): PriceQuery {
  const model = name.lastIndexOf('/') + 1;
  const prefixes = [withoutReleaseSuffix(name)].filter((stem) => stem !== name);
  for (let end = name.length - 1; end > model; end -= 1) {
    if (prefixes.length >= MAX_PREFIXES) break;
    if (name[end] === '-' || name[end] === ':') prefixes.push(name.slice(0, end));
  }
  return { name, prefixes: prefixes.toSorted((a, b) => b.length - a.length) };
}
