import { actions } from '#contract/policy-actions.ts';
import { runSorts, runStatus } from '#contract/run-list.ts';
import type { RunFilter, RunSort } from '../data/run-sources.ts';
import type { Filters } from '../use-filters.ts';

const texts = [
  'agent',
  'workflow',
  'user',
  'session',
  'team',
  'api_key',
  'environment',
  'version',
  'score',
] as const;
/** Bounds for the scores whose name is in `score`. */
const scoreBounds = ['min_score', 'max_score'] as const;
const lists = ['model', 'tag'] as const;
const bounds = [
  'min_cost',
  'max_cost',
  'min_duration',
  'max_duration',
  'min_tokens',
  'max_tokens',
] as const;

/** Filter from the URL. Drops values that the service would reject: URLs can be edited by hand. */
export function runFilterOf({ get, all }: Pick<Filters, 'get' | 'all'>): RunFilter {
  const search = get('search').trim().slice(0, 1000);
  const status = runStatus.options.find((status) => status === get('status'));
  const hasError = (['true', 'false'] as const).find((value) => value === get('has_error'));
  const verdict = actions.find((action) => action === get('verdict'));
  const named = texts.flatMap((name) => (get(name) ? [[name, get(name)]] : []));
  const listed = lists.flatMap((name) => (all(name).length > 0 ? [[name, all(name)]] : []));
  return {
    ...(search && { search }),
    ...(status && { status }),
    ...(hasError && { has_error: hasError }),
    ...(verdict && { verdict }),
    ...(Object.fromEntries([...named, ...listed]) as Partial<RunFilter>),
    ...numbersOf(get, bounds),
    ...(get('score') && {
      ...(get('score_value') && { score_value: get('score_value').slice(0, 200) }),
      ...numbersOf(get, scoreBounds),
    }),
  };
}

function numbersOf(get: Filters['get'], names: readonly string[]): Partial<RunFilter> {
  const isValid = (name: string) => {
    const value = Number(get(name));
    return (
      get(name) !== '' &&
      (name.endsWith('tokens') ? Number.isSafeInteger(value) : Number.isFinite(value))
    );
  };
  return Object.fromEntries(names.filter(isValid).map((name) => [name, Number(get(name))]));
}

export const FIRST_RUN_SORT = '-started_at';

export const runSortOf = ({ get }: Pick<Filters, 'get'>): RunSort =>
  runSorts.flatMap((name) => [name, `-${name}`] as const).find((sort) => sort === get('sort')) ??
  FIRST_RUN_SORT;

const collapsed = [
  ...texts.slice(1),
  'score_value',
  'tag',
  'has_error',
  'verdict',
  ...bounds,
  ...scoreBounds,
] as const;

/** How many of the filters that the toolbar collapses are set. */
export const collapsedFilterCount = (filter: RunFilter): number =>
  collapsed.filter((name) => filter[name] !== undefined).length;
