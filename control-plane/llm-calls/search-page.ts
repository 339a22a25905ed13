import type { llmCallSorts } from '#contract/llm-calls.ts';
import type { SegmentFields } from '../storage/search/call-fields.ts';
import type { SearchMatch } from '../storage/search/search-index.ts';
import {
  type Aggregates,
  aggregatesOf,
  type CallFilter,
  hasDuration,
  type ModelSums,
  UNKNOWN_DURATION,
} from './rules.ts';

export interface MatchFilter extends CallFilter {
  /** If set, only these calls match. */
  ids?: ReadonlySet<number> | undefined;
  /**
   * If set, only these calls match. Their durations, in milliseconds, are filtered or sorted by.
   */
  durations?: ReadonlyMap<number, number> | undefined;
}

export interface MatchList extends MatchFilter {
  sort: { by: (typeof llmCallSorts)[number]; direction: 'asc' | 'desc' };
  limit: number;
  offset: number;
}

/** The columns that are loaded from every segment, and those that are loaded if needed. */
type Loaded = Pick<SegmentFields, 'cost' | 'total_tokens' | 'model'> & Partial<SegmentFields>;

/**
 * Returns the ids of one page of search matches, and the totals of all matches that pass the
 * filter. Segments are loaded one at a time, so that memory does not grow with the number of
 * matches.
 */
export async function pageOfMatches(
  matches: readonly SearchMatch[],
  list: MatchList,
): Promise<{ ids: number[]; aggregates: Aggregates }> {
  const sums = new Map<string, ModelSums>();
  const page = createPage(list);
  for (const segment of matchesInOrder(matches, list)) {
    const { fields, indices } = await filterSegment(segment, list, []);
    addTotals(sums, fields, indices);
    if (indices.length > 0 && page.mayContain(segment))
      page.add({ ...fields, ...(await segment.load(sortedBy(list))) }, indices);
  }
  return { ids: page.ids(), aggregates: aggregatesOf([...sums.values()]) };
}

/** Returns the columns to load for sorting. The index has no durations. */
const sortedBy = ({ sort: { by } }: MatchList) =>
  by === 'duration_ms' ? (['id'] as const) : (['id', by] as const);

/**
 * Loads the columns of a segment, including those in `more`, and finds the calls in it that pass
 * the filter.
 */
export async function filterSegment<K extends keyof SegmentFields>(
  segment: SearchMatch,
  filter: MatchFilter,
  more: readonly K[],
) {
  const needed = ['cost', 'total_tokens', 'model', ...more, ...filteredBy(filter)] as const;
  const fields = await segment.load(needed);
  return { fields, indices: passingIndices(segment.count, fields, filter) };
}

const filteredBy = ({
  start,
  end,
  agent,
  ids,
  durations,
}: MatchFilter): ('created_at' | 'agent_name' | 'id')[] => [
  ...(start === undefined && end === undefined ? [] : (['created_at'] as const)),
  ...(agent ? (['agent_name'] as const) : []),
  ...(ids || durations ? (['id'] as const) : []),
];

/** Sorts segments in list order as far as possible, so that later segments may not need sorting. */
const matchesInOrder = (matches: readonly SearchMatch[], { sort }: MatchList): SearchMatch[] =>
  sort.by === 'created_at' && sort.direction === 'asc'
    ? matches.toSorted((a, b) => a.first_at - b.first_at)
    : matches.toSorted((a, b) => b.last_at - a.last_at);

/** Returns the indices of the calls that pass the filter. */
function passingIndices(count: number, fields: Loaded, filter: MatchFilter): Int32Array {
  const { start = -Infinity, end = Infinity, agent } = filter;
  const { min_cost = -Infinity, max_cost = Infinity } = filter;
  const { min_tokens = -Infinity, max_tokens = Infinity } = filter;
  const { cost, total_tokens, model, created_at, agent_name, id } = fields;
  const models = model.names.map((name) => !filter.model?.length || filter.model.includes(name));
  const agents = agent_name?.names.map((name) => name === agent);
  const passes = (i: number): boolean =>
    isWithin(cost[i], min_cost, max_cost) &&
    isWithin(total_tokens[i], min_tokens, max_tokens) &&
    models[model.codes[i] as number] === true &&
    (!created_at || isWithin(created_at[i], start, end - 1)) &&
    (!filter.ids || filter.ids.has(id?.[i] as number)) &&
    (!filter.durations || isOfDuration(filter.durations.get(id?.[i] as number), filter)) &&
    (!agents || agents[agent_name?.codes[i] as number] === true);
  const indices = new Int32Array(count);
  let length = 0;
  for (let i = 0; i < count; i += 1) if (passes(i)) indices[length++] = i;
  return indices.subarray(0, length);
}

/** Whether a duration passes the filter. A bound excludes calls of unknown duration. */
const isOfDuration = (duration: number | undefined, filter: MatchFilter): boolean => {
  const { min_duration_ms, max_duration_ms = Infinity } = filter;
  const least = min_duration_ms ?? (hasDuration(filter) ? 0 : UNKNOWN_DURATION);
  return duration !== undefined && isWithin(duration, least, max_duration_ms);
};

const isWithin = (value = 0, least: number, most: number): boolean =>
  value >= least && value <= most;

function addTotals(sums: Map<string, ModelSums>, fields: Loaded, indices: Int32Array): void {
  const { model, total_tokens, cost } = fields;
  const byNumber = model.names.map((name) => {
    const sum = sums.get(name) ?? { model: name, calls: 0, tokens: 0, cost: 0 };
    sums.set(name, sum);
    return sum;
  });
  for (const i of indices) {
    const sum = byNumber[model.codes[i] as number] as ModelSums;
    sum.calls += 1;
    sum.tokens += total_tokens[i] as number;
    sum.cost += cost[i] as number;
  }
}

interface Candidate {
  id: number;
  by: number | string;
}

/**
 * The number of candidates beyond the page size that are kept before the list is sorted and cut.
 */
const MAX_EXTRA = 1000;

/** Collects the first calls in list order from the segments. */
function createPage({ sort, limit, offset, durations }: MatchList) {
  const size = offset + limit;
  const sign = sort.direction === 'asc' ? 1 : -1;
  let first: Candidate[] = [];
  /** The last candidate of a full page. Calls after it are ignored. */
  let last: Candidate | undefined;
  const compare = (a: Candidate, b: Candidate): number =>
    sign * (a.by === b.by ? a.id - b.id : a.by < b.by ? -1 : 1);
  const trim = (): void => {
    first = first.sort(compare).slice(0, size);
    last = first.length === size ? first.at(-1) : undefined;
  };
  return {
    mayContain({ first_at, last_at }: SearchMatch): boolean {
      if (!last || sort.by !== 'created_at') return size > 0;
      return sign > 0 ? first_at <= Number(last.by) : last_at >= Number(last.by);
    },
    add(fields: Loaded & Pick<SegmentFields, 'id'>, indices: Int32Array): void {
      const valueAt = readerOf(fields, sort.by, durations);
      for (const i of indices) {
        const candidate = { id: fields.id[i] as number, by: valueAt(i) };
        if (last && compare(candidate, last) > 0) continue;
        first.push(candidate);
        if (first.length > size + MAX_EXTRA) trim();
      }
      trim();
    },
    ids: (): number[] => first.slice(offset).map(({ id }) => id),
  };
}

function readerOf(
  fields: Loaded & Pick<SegmentFields, 'id'>,
  by: MatchList['sort']['by'],
  durations: MatchFilter['durations'],
): (i: number) => number | string {
  const { model } = fields;
  if (by === 'duration_ms')
    return (i) => durations?.get(fields.id[i] as number) ?? UNKNOWN_DURATION;
  if (by !== 'model') return (i) => fields[by]?.[i] as number;
  return (i) => model.names[model.codes[i] as number] as string;
}
