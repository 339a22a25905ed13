import type { SelectQueryBuilder } from 'kysely';
import type { Db } from '../storage/open.ts';
import type { Tables } from '../storage/tables.ts';
import { valueList } from '../storage/value-list.ts';
import type { CallFilter } from './rules.ts';

export type Calls = SelectQueryBuilder<Tables, 'llm_calls', object>;

/** Selects calls through an index that covers all of these columns. */
export function callsOf(db: Db, tenantId: string, filter: CallFilter): Calls {
  let calls: Calls = db.selectFrom('llm_calls').where('tenant_id', '=', tenantId);
  if (filter.start !== undefined) calls = calls.where('created_at', '>=', filter.start);
  if (filter.end !== undefined) calls = calls.where('created_at', '<', filter.end);
  if (filter.agent) calls = calls.where('agent_name', '=', filter.agent);
  if (filter.model?.length) calls = calls.where('model', 'in', filter.model);
  if (filter.min_cost !== undefined) calls = calls.where('cost', '>=', filter.min_cost);
  if (filter.max_cost !== undefined) calls = calls.where('cost', '<=', filter.max_cost);
  if (filter.min_tokens !== undefined) calls = calls.where('total_tokens', '>=', filter.min_tokens);
  if (filter.max_tokens !== undefined) calls = calls.where('total_tokens', '<=', filter.max_tokens);
  const { min_duration_ms, max_duration_ms } = filter;
  if (min_duration_ms !== undefined) calls = calls.where('duration_ms', '>=', min_duration_ms);
  if (max_duration_ms !== undefined) calls = calls.where('duration_ms', '<=', max_duration_ms);
  return filter.prompts ? ofPrompts(calls, filter.prompts) : calls;
}

/**
 * Restricts calls to prompts. The condition of the index of the calls of prompt versions must be a
 * literal.
 */
const ofPrompts = (calls: Calls, hashes: readonly string[]): Calls =>
  calls
    .where('prompt_hash', 'in', valueList(hashes))
    .where((eb) => eb('prompt_counted', '=', eb.lit(1)));
