import { llmCallSorts } from '#contract/llm-calls.ts';
import { SECOND_MS } from '#lib/time-units.ts';
import type { LlmCallFilter, LlmCallSort } from '../data/llm-call-sources.ts';
import type { Filters } from '../use-filters.ts';

const sorts: readonly LlmCallSort[] = llmCallSorts.flatMap((name) => [name, `-${name}`] as const);

const bounds = ['min_cost', 'max_cost', 'min_tokens', 'max_tokens'] as const;

/** Filter from the URL. Drops values that the service would reject: URLs can be edited by hand. */
export function callFilterOf({ get, all }: Pick<Filters, 'get' | 'all'>): LlmCallFilter {
  const [search, agent, model] = [get('search').trim().slice(0, 1000), get('agent'), all('model')];
  const sort = sorts.find((name) => name === get('sort'));
  return {
    ...(search && { search }),
    ...(agent && { agent }),
    ...(model.length > 0 && { model }),
    ...(sort && { sort }),
    ...promptOf(get),
    ...boundsOf(get),
    ...durationOf(get),
  };
}

/** The prompt filter from the URL: the id of a prompt and optionally a version number. */
function promptOf(get: Filters['get']): Pick<LlmCallFilter, 'prompt' | 'prompt_version'> {
  const prompt = get('prompt').slice(0, 200);
  const version = Number(get('version'));
  if (prompt === '') return {};
  return Number.isSafeInteger(version) && version > 0
    ? { prompt, prompt_version: version }
    : { prompt };
}

function boundsOf(get: Filters['get']): Pick<LlmCallFilter, (typeof bounds)[number]> {
  const entries = bounds.flatMap((name) => {
    const value = Number(get(name));
    const isWhole = name.endsWith('cost') || Number.isSafeInteger(value);
    return get(name) !== '' && Number.isFinite(value) && isWhole ? [[name, value] as const] : [];
  });
  return Object.fromEntries(entries);
}

/** Converts seconds from the URL to whole milliseconds for the service. */
function durationOf(
  get: Filters['get'],
): Pick<LlmCallFilter, 'min_duration_ms' | 'max_duration_ms'> {
  const [min, max] = (['min_duration', 'max_duration'] as const).map((name) => {
    // Rounded to a thousandth of a millisecond, because 1.1 × 1000 is slightly more than 1100.
    const ms = Number((Number(get(name)) * SECOND_MS).toFixed(3));
    return get(name) !== '' && Number.isSafeInteger(Math.round(ms)) ? ms : undefined;
  });
  return {
    ...(min !== undefined && { min_duration_ms: Math.ceil(min) }),
    ...(max !== undefined && { max_duration_ms: Math.floor(max) }),
  };
}

/** Whether the filter excludes calls. The sort order does not. */
export const filtersCalls = (filter: LlmCallFilter): boolean =>
  Object.keys(filter).some((name) => name !== 'sort');
