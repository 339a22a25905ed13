import type { AnalyticsFilters, WidgetQuery } from '../data/dashboard-sources.ts';

interface Bounds {
  start: string;
  end: string;
}

type Param = readonly [name: string, value: string];

/** The list parameter that selects a group; undefined if no list has such a filter. */
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

/** The query filters that each list supports. A link that loses filters would be wrong. */
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
 * The URL of the list of records behind a group or interval; undefined if no list supports these
 * filters. `key` is null for records without a name for the group, and undefined for all groups.
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

/** Score filters are dropped: the list of runs does not support them. */
const paramsOf = ({ score: _score, ...filters }: AnalyticsFilters): Param[] =>
  Object.entries(filters).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((one): Param => [name, one]),
  );
