import type { LlmCallFilter, LlmCallSort } from '../data/llm-call-sources.ts';
import type { Filters } from '../use-filters.ts';

export const sortNames: Record<LlmCallSort, string> = {
  '-created_at': 'Newest first',
  created_at: 'Oldest first',
  '-cost': 'Highest cost first',
  cost: 'Lowest cost first',
  '-total_tokens': 'Most tokens first',
  total_tokens: 'Fewest tokens first',
  model: 'Model, A to Z',
  '-model': 'Model, Z to A',
};

const bounds = ['min_cost', 'max_cost', 'min_tokens', 'max_tokens'] as const;

/** Filter from the URL. Drops values that the service would reject: URLs can be edited by hand. */
export function callFilterOf({ get, all }: Pick<Filters, 'get' | 'all'>): LlmCallFilter {
  const [search, agent, model] = [get('search').trim().slice(0, 1000), get('agent'), all('model')];
  const sort = (Object.keys(sortNames) as LlmCallSort[]).find((name) => name === get('sort'));
  return {
    ...(search && { search }),
    ...(agent && { agent }),
    ...(model.length > 0 && { model }),
    ...(sort && { sort }),
    ...boundsOf(get),
  };
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
