import { sql } from 'kysely';
import type { Phrase } from '../storage/search/word-rules.ts';
import { orderByIds } from '../storage/row-order.ts';
import { firstCharacters } from '../storage/list-columns.ts';
import type { Db, Storage, Trx } from '../storage/open.ts';
import { valueList } from '../storage/value-list.ts';
import { type Calls, callsOf } from './call-filter-queries.ts';
import { withLookedUp } from './looked-up-queries.ts';
import { type MatchList, pageOfMatches } from './search-page.ts';
import {
  type Aggregates,
  aggregatesOf,
  type CallFilter,
  roundedCost,
  type HourRange,
  type ModelSums,
  needsScan,
  sorted,
  splitHours,
  UNKNOWN_DURATION,
} from './rules.ts';

export interface CallList extends MatchList {
  /** Phrases that must all be in the call. */
  phrases?: readonly Phrase[] | undefined;
}

/** Returns one page of calls and the totals of all matches, from the same snapshot. */
export function listCalls(storage: Storage, tenantId: string, list: CallList) {
  return storage.reader
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (db) => {
      if (list.phrases)
        return listSearchedCalls(db, storage, tenantId, { ...list, phrases: list.phrases });
      const aggregates = needsScan(list)
        ? await sumScannedCalls(db, storage, callsOf(db, tenantId, list))
        : aggregatesOf(await storedSums(db, tenantId, list));
      const rows = list.offset < aggregates.total_calls ? await pageOf(db, tenantId, list) : [];
      return { rows, aggregates, isCut: false };
    });
}

/** Returns the ids of all matching calls in order, but at most `most`, from one snapshot. */
export function listCallIds(
  storage: Storage,
  tenantId: string,
  list: Omit<CallList, 'limit' | 'offset'>,
  most: number,
): Promise<{ ids: number[]; isCut: boolean }> {
  const all = { ...list, limit: most, offset: 0 };
  return storage.reader
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (db) => {
      if (!list.phrases) return { ids: await idsOf(db, tenantId, all), isCut: false };
      const matches = await storage.search.find(db, tenantId, list.phrases);
      const { filter, isCut } = await withLookedUp(db, tenantId, matches, all);
      return { ids: (await pageOfMatches(matches, filter)).ids, isCut };
    });
}

/**
 * Lists calls by search. The index has the columns that lists need, so only the rows of the page
 * are read.
 */
async function listSearchedCalls(
  db: Trx,
  storage: Storage,
  tenantId: string,
  list: CallList & { phrases: readonly Phrase[] },
) {
  const matches = await storage.search.find(db, tenantId, list.phrases);
  const { filter, isCut } = await withLookedUp(db, tenantId, matches, list);
  const { ids, aggregates } = await pageOfMatches(matches, filter);
  return { rows: await listCallsByIds(db, tenantId, ids), aggregates, isCut };
}

async function sumScannedCalls(db: Db, storage: Storage, calls: Calls): Promise<Aggregates> {
  const row = await calls
    .select(({ fn }) => [
      fn.countAll<number>().as('calls'),
      fn.sum<number | null>('total_tokens').as('tokens'),
      fn.sum<number | null>('cost').as('cost'),
      storage.distinctJson('model').as('models'),
    ])
    .executeTakeFirstOrThrow();
  return {
    total_cost: roundedCost(row.cost ?? 0),
    total_tokens: row.tokens ?? 0,
    total_calls: row.calls,
    models_used: sorted(JSON.parse(row.models ?? '[]') as string[]),
  };
}

/**
 * Returns sums from the stored totals. Only the partial hours at the ends of the range are read
 * call by call.
 */
async function storedSums(db: Db, tenantId: string, filter: CallFilter): Promise<ModelSums[]> {
  if (filter.start === undefined && filter.end === undefined)
    return sumsOfAll(db, tenantId, filter);
  const { hours, edges } = splitHours(filter);
  const parts = hours ? [await sumsOfHours(db, tenantId, filter, hours)] : [];
  for (const edge of edges) parts.push(await sumsOfCalls(db, tenantId, { ...filter, ...edge }));
  return parts.flat();
}

function sumsOfAll(db: Db, tenantId: string, { agent, model }: CallFilter): Promise<ModelSums[]> {
  let totals = db.selectFrom('model_totals').where('tenant_id', '=', tenantId);
  if (agent) totals = totals.where('agent_name', '=', agent);
  if (model?.length) totals = totals.where('model', 'in', model);
  // The groups are in key order, so that SQLite reads only this tenant's part and does not sort.
  return totals.select(summed).groupBy(['agent_name', 'model']).execute();
}

function sumsOfHours(
  db: Db,
  tenantId: string,
  { agent, model }: CallFilter,
  { from, to }: HourRange,
): Promise<ModelSums[]> {
  let hours = db
    .selectFrom('model_hours')
    .where('tenant_id', '=', tenantId)
    // The empty name holds the totals of all agents.
    .where('agent_name', '=', agent || '');
  if (from !== undefined) hours = hours.where('hour', '>=', from);
  if (to !== undefined) hours = hours.where('hour', '<', to);
  if (model?.length) hours = hours.where('model', 'in', model);
  return hours.select(summed).groupBy('model').execute();
}

const summed = [
  'model',
  sql<number>`sum(call_count)`.as('calls'),
  sql<number>`sum(total_tokens)`.as('tokens'),
  sql<number>`sum(total_cost)`.as('cost'),
] as const;

function sumsOfCalls(db: Db, tenantId: string, filter: CallFilter): Promise<ModelSums[]> {
  return callsOf(db, tenantId, filter)
    .select(({ fn }) => [
      'model',
      fn.countAll<number>().as('calls'),
      fn.sum<number>('total_tokens').as('tokens'),
      fn.sum<number>('cost').as('cost'),
    ])
    .groupBy('model')
    .execute();
}

const columns = [
  'id',
  'run_id',
  'model',
  'provider',
  'task',
  'agent_name',
  'workflow_name',
  'tokens_in',
  'tokens_out',
  'total_tokens',
  'cache_read_tokens',
  'cache_write_tokens',
  'cost',
  'cost_source',
  'span_id',
  'parent_span_id',
  'started_at',
  'duration_ms',
  'reasoning_tokens',
  'time_to_first_token_ms',
  'finish_reason',
  'created_at',
  'prompt_hash',
] as const;

/** Reads a page. Its ids come from an index, so that only these rows are read in full. */
async function pageOf(db: Db, tenantId: string, list: CallList) {
  return listCallsByIds(db, tenantId, await idsOf(db, tenantId, list));
}

/** Never null, so that the order is the same in both databases. */
const knownDuration = sql<number>`coalesce(duration_ms, ${sql.lit(UNKNOWN_DURATION)})`;

async function idsOf(db: Db, tenantId: string, list: CallList): Promise<number[]> {
  const { by, direction } = list.sort;
  const matches = await callsOf(db, tenantId, list)
    .select('id')
    .orderBy(by === 'duration_ms' ? knownDuration : by, direction)
    .orderBy('id', direction)
    .limit(list.limit)
    .offset(list.offset)
    .execute();
  return matches.map(({ id }) => id);
}

/** Returns the list entries of these calls, in this order. */
export async function listCallsByIds(db: Db, tenantId: string, ids: readonly number[]) {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('llm_calls')
    .select(columns)
    .select(firstCharacters('prompt_preview').as('prompt_preview'))
    .select(firstCharacters('response_preview').as('response_preview'))
    .where('tenant_id', '=', tenantId)
    .where('id', 'in', valueList(ids))
    .execute();
  return orderByIds(ids, rows);
}

export function findCall(db: Db, tenantId: string, id: number) {
  return db
    .selectFrom('llm_calls')
    .select(columns)
    .select(['prompt_preview', 'response_preview', 'response_id', 'tool_calls'])
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Returns all models with stored calls. */
export async function listModels(db: Db, tenantId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('model_totals')
    .select('model')
    .distinct()
    .where('tenant_id', '=', tenantId)
    .where('call_count', '>', 0)
    .execute();
  return sorted(rows.map(({ model }) => model));
}
