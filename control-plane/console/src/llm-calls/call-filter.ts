import type { LlmCallFilter, LlmCallSort } from '../data/llm-call-sources.ts';
import type { Filters } from '../use-filters.ts';

const sorts: readonly LlmCallSort[] = [
  '-created_at',
  'created_at',
  '-cost',
  'cost',
  '-total_tokens',
  'total_tokens',
  'model',
  '-model',
];

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
  };
}

/** A prompt by its id, and the number of a version. */
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

/** Whether the filter excludes calls: sorting does not. */
export const filtersCalls = (filter: LlmCallFilter): boolean =>
  Object.keys(filter).some((name) => name !== 'sort');
