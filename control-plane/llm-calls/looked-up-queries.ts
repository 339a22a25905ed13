import { MAX_MATCHES_WITH_DURATION } from '#contract/llm-calls.ts';
import type { Db } from '../storage/open.ts';
import type { SearchMatch } from '../storage/search/search-index.ts';
import { valueList } from '../storage/value-list.ts';
import { callsOf } from './call-filter-queries.ts';
import { hasDuration, UNKNOWN_DURATION } from './rules.ts';
import { type MatchFilter, type MatchList, filterSegment } from './search-page.ts';

type MatchQuery = Omit<MatchFilter, 'ids' | 'durations'> & Partial<Pick<MatchList, 'sort'>>;

/**
 * Adds to a filter of search matches what the search index does not contain: the prompts and
 * durations of calls. `isCut` means that too many matches pass the other filters to look up all
 * durations.
 */
export async function withLookedUp<F extends MatchQuery>(
  db: Db,
  tenantId: string,
  matches: readonly SearchMatch[],
  query: F,
): Promise<{ filter: F & MatchFilter; isCut: boolean }> {
  const filter: F & MatchFilter = { ...query };
  if (query.prompts) filter.ids = await idsOfPrompts(db, tenantId, query.prompts);
  if (!hasDuration(query) && query.sort?.by !== 'duration_ms') return { filter, isCut: false };
  const { durations, isCut } = await durationsOf(db, tenantId, matches, filter);
  return { filter: { ...filter, durations }, isCut };
}

async function idsOfPrompts(db: Db, tenantId: string, prompts: readonly string[]) {
  const rows = await callsOf(db, tenantId, { prompts }).select('id').execute();
  return new Set(rows.map(({ id }) => id));
}

async function durationsOf(
  db: Db,
  tenantId: string,
  matches: readonly SearchMatch[],
  filter: MatchFilter,
) {
  const { ids, isCut } = await latestPassing(matches, filter);
  const rows = await db
    .selectFrom('llm_calls')
    .select(['id', 'duration_ms'])
    .where('tenant_id', '=', tenantId)
    .where('id', 'in', valueList(ids))
    .execute();
  return {
    durations: new Map(rows.map(({ id, duration_ms }) => [id, duration_ms ?? UNKNOWN_DURATION])),
    isCut,
  };
}

/** Returns the latest matches that pass the filter without its durations, one segment at a time. */
async function latestPassing(
  matches: readonly SearchMatch[],
  filter: MatchFilter,
): Promise<{ ids: number[]; isCut: boolean }> {
  const { start = -Infinity, end = Infinity } = filter;
  const inRange = matches.filter(({ first_at, last_at }) => first_at < end && last_at >= start);
  const ids: number[] = [];
  for (const segment of inRange.toSorted((a, b) => b.last_at - a.last_at)) {
    const { fields, indices } = await filterSegment(segment, filter, ['id']);
    if (ids.length >= MAX_MATCHES_WITH_DURATION && indices.length > 0) return { ids, isCut: true };
    for (const i of indices) ids.push(fields.id[i] as number);
  }
  return { ids, isCut: false };
}
