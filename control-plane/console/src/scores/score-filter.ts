import { scoreSorts } from '#contract/scores.ts';
import type { ScoreFilter, ScoreSort } from '../data/score-sources.ts';
import type { Filters } from '../use-filters.ts';
import { sourceNames, typeNames } from './score-words.ts';

type Get = Filters['get'];

const keysOf = <T extends object>(names: T) => Object.keys(names) as (keyof T)[];

/** Filter from the URL. Drops values that the service would reject: URLs can be edited by hand. */
export function scoreFilterOf({ get }: Pick<Filters, 'get'>): ScoreFilter {
  const source = keysOf(sourceNames).find((id) => id === get('source'));
  const data_type = keysOf(typeNames).find((id) => id === get('type'));
  const texts = (['name', 'agent', 'value'] as const).flatMap((name) => {
    const text = get(name).slice(0, 200);
    return text === '' ? [] : [[name, text]];
  });
  return {
    ...(Object.fromEntries(texts) as Pick<ScoreFilter, 'name' | 'agent' | 'value'>),
    ...(source && { source }),
    ...(data_type && { data_type }),
    ...idsOf(get),
    ...boundsOf(get),
  };
}

function idsOf(get: Get): Pick<ScoreFilter, 'run_id' | 'llm_call_id'> {
  const [run, call] = [Number(get('run')), Number(get('call'))];
  const isId = (id: number) => Number.isSafeInteger(id) && id > 0;
  return { ...(isId(run) && { run_id: run }), ...(isId(call) && { llm_call_id: call }) };
}

function boundsOf(get: Get): Pick<ScoreFilter, 'min_value' | 'max_value'> {
  const entries = (['min_value', 'max_value'] as const).flatMap((name) =>
    get(name) !== '' && Number.isFinite(Number(get(name))) ? [[name, Number(get(name))]] : [],
  );
  return Object.fromEntries(entries) as Pick<ScoreFilter, 'min_value' | 'max_value'>;
}

export const FIRST_SCORE_SORT = '-created_at';

export const scoreSortOf = ({ get }: Pick<Filters, 'get'>): ScoreSort =>
  scoreSorts.flatMap((name) => [name, `-${name}`] as const).find((sort) => sort === get('sort')) ??
  FIRST_SCORE_SORT;

const collapsed = [
  'data_type',
  'value',
  'min_value',
  'max_value',
  'run_id',
  'llm_call_id',
] as const;

/** How many of the filters that the toolbar collapses are set. */
export const collapsedFilterCount = (filter: ScoreFilter): number =>
  collapsed.filter((name) => filter[name] !== undefined).length;
