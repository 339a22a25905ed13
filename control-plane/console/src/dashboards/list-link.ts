import type { AnalyticsFilters, WidgetQuery } from '../data/dashboard-sources.ts';

interface Bounds {
  start: string;
  end: string;
}

type Param = readonly [name: string, value: string];

/** The parameter of a list that stands for a group; undefined: no list is filtered by it. */
const groupParams: Partial<Record<WidgetQuery['group_by'], string>> = {
  agent: 'agent',
  workflow: 'workflow',
  user: 'user',
  team: 'team',
  api_key: 'api_key',
  tag: 'tag',
  model: 'model',
  status: 'status',
  action: 'action',
};

/** The filters of each list that a query may have; others would be lost. */
const known = {
  '/llm-calls': ['agent', 'model'],
  '/incidents': ['agent', 'action'],
  '/runs': [
    'agent',
    'workflow',
    'status',
    'user',
    'session',
    'team',
    'api_key',
    'model',
    'tag',
    'environment',
    'version',
    'has_error',
  ],
} as const;

type List = keyof typeof known;

/**
 * The list of what a group, or an interval, counts; undefined if no list can be filtered so.
 * `key` is null for records without the group's name, and undefined for all groups.
 */
export function listLink(
  query: Pick<WidgetQuery, 'measure' | 'group_by' | 'filters'>,
  bounds: Bounds,
  key?: string | null,
): string | undefined {
  if (key === null) return undefined;
  if (query.group_by === 'tenant' && key !== undefined) return undefined;
  const params = paramsOf(query.filters);
  if (key !== undefined) {
    const name = groupParams[query.group_by];
    if (name === undefined) return undefined;
    if (!params.some(([other, value]) => other === name && value === key)) params.push([name, key]);
  }
  if (query.measure === 'failed_runs') params.push(['status', 'error']);
  const list = listsOf(query.measure).find((one) =>
    params.every(([name]) => (known[one] as readonly string[]).includes(name)),
  );
  if (list === undefined) return undefined;
  const tab: Param[] = list === '/incidents' ? [['tab', 'evaluations']] : [];
  const all = [...tab, ...params, ['start', bounds.start], ['end', bounds.end]] as const;
  return `${list}?${new URLSearchParams(all.map(([name, value]) => [name, value]))}`;
}

function listsOf(measure: WidgetQuery['measure']): List[] {
  if (measure === 'verdicts') return ['/incidents'];
  if (/^(runs|failed_runs|error_rate|run_|score)/.test(measure)) return ['/runs'];
  return ['/llm-calls', '/runs'];
}

/** The list of runs does not know scores. */
const paramsOf = ({ score: _score, ...filters }: AnalyticsFilters): Param[] =>
  Object.entries(filters).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((one): Param => [name, one]),
  );
