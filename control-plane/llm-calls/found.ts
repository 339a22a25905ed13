import type { Facts } from '../storage/search/facts.ts';
import type { SearchMatch } from '../storage/search/search-index.ts';
import { type Aggregates, aggregatesOf, type CallFilter, type ModelSums } from './rules.ts';

export interface FoundList extends CallFilter {
  sort: { by: 'created_at' | 'cost' | 'total_tokens' | 'model'; direction: 'asc' | 'desc' };
  limit: number;
  offset: number;
}

/** What is loaded of every segment, and what only where it is needed. */
type Loaded = Pick<Facts, 'cost' | 'total_tokens' | 'model'> & Partial<Facts>;

/**
 * Of the calls that a search found, the ids of one page, and the totals of all that the filter leaves.
 * What is needed of a segment is read when it is its turn, so that memory does not grow with what is
 * found.
 */
export async function pageOfMatches(
  found: readonly SearchMatch[],
  list: FoundList,
): Promise<{ ids: number[]; aggregates: Aggregates }> {
  const sums = new Map<string, ModelSums>();
  const page = pageUnderWay(list);
  const needed = ['cost', 'total_tokens', 'model', ...filteredBy(list)] as const;
  for (const segment of matchesInOrder(found, list)) {
    const facts = await segment.load(needed);
    const passing = passingOf(segment.count, facts, list);
    addUp(sums, facts, passing);
    if (passing.length > 0 && page.mayTake(segment))
      page.take({ ...facts, ...(await segment.load(['id', list.sort.by])) }, passing);
  }
  return { ids: page.ids(), aggregates: aggregatesOf([...sums.values()]) };
}

const filteredBy = ({ start, end, agent }: CallFilter): ('created_at' | 'agent_name')[] => [
  ...(start === undefined && end === undefined ? [] : (['created_at'] as const)),
  ...(agent ? (['agent_name'] as const) : []),
];

/** Those that are listed first come first: the others then need not be sorted. */
const matchesInOrder = (found: readonly SearchMatch[], { sort }: FoundList): SearchMatch[] =>
  sort.by === 'created_at' && sort.direction === 'asc'
    ? found.toSorted((a, b) => a.first_at - b.first_at)
    : found.toSorted((a, b) => b.last_at - a.last_at);

/** Which of the calls the filter leaves. */
function passingOf(count: number, facts: Loaded, filter: CallFilter): Int32Array {
  const { start = -Infinity, end = Infinity, agent } = filter;
  const { min_cost = -Infinity, max_cost = Infinity } = filter;
  const { min_tokens = -Infinity, max_tokens = Infinity } = filter;
  const { cost, total_tokens, model, created_at, agent_name } = facts;
  const models = model.names.map((name) => !filter.model?.length || filter.model.includes(name));
  const agents = agent_name?.names.map((name) => name === agent);
  const passes = (i: number): boolean =>
    isWithin(cost[i], min_cost, max_cost) &&
    isWithin(total_tokens[i], min_tokens, max_tokens) &&
    models[model.of[i] as number] === true &&
    (!created_at || isWithin(created_at[i], start, end - 1)) &&
    (!agents || agents[agent_name?.of[i] as number] === true);
  const passing = new Int32Array(count);
  let length = 0;
  for (let i = 0; i < count; i += 1) if (passes(i)) passing[length++] = i;
  return passing.subarray(0, length);
}

const isWithin = (value = 0, least: number, most: number): boolean =>
  value >= least && value <= most;

function addUp(sums: Map<string, ModelSums>, facts: Loaded, passing: Int32Array): void {
  const { model, total_tokens, cost } = facts;
  const byNumber = model.names.map((name) => {
    const sum = sums.get(name) ?? { model: name, calls: 0, tokens: 0, cost: 0 };
    sums.set(name, sum);
    return sum;
  });
  for (const i of passing) {
    const sum = byNumber[model.of[i] as number] as ModelSums;
    sum.calls += 1;
    sum.tokens += total_tokens[i] as number;
    sum.cost += cost[i] as number;
  }
}

interface Candidate {
  id: number;
  by: number | string;
}

/** So many candidates more than the page has are kept before the last ones are let go. */
const SPARE = 1000;

/** The first calls in the order of the list, as far as the segments were looked through. */
function pageUnderWay({ sort, limit, offset }: FoundList) {
  const wanted = offset + limit;
  const sign = sort.direction === 'asc' ? 1 : -1;
  let first: Candidate[] = [];
  /** What comes after it is on no page that is asked for. */
  let last: Candidate | undefined;
  const compare = (a: Candidate, b: Candidate): number =>
    sign * (a.by === b.by ? a.id - b.id : a.by < b.by ? -1 : 1);
  const settle = (): void => {
    first = first.sort(compare).slice(0, wanted);
    last = first.length === wanted ? first.at(-1) : undefined;
  };
  return {
    mayTake({ first_at, last_at }: SearchMatch): boolean {
      if (!last || sort.by !== 'created_at') return wanted > 0;
      return sign > 0 ? first_at <= Number(last.by) : last_at >= Number(last.by);
    },
    take(facts: Loaded & Pick<Facts, 'id'>, passing: Int32Array): void {
      const valueAt = readerOf(facts, sort.by);
      for (const i of passing) {
        const candidate = { id: facts.id[i] as number, by: valueAt(i) };
        if (last && compare(candidate, last) > 0) continue;
        first.push(candidate);
        if (first.length > wanted + SPARE) settle();
      }
      settle();
    },
    ids: (): number[] => first.slice(offset).map(({ id }) => id),
  };
}

function readerOf(facts: Loaded, by: FoundList['sort']['by']): (i: number) => number | string {
  const { model } = facts;
  if (by !== 'model') return (i) => facts[by]?.[i] as number;
  return (i) => model.names[model.of[i] as number] as string;
}
