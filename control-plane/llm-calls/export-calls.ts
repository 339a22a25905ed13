import { ApiError } from '#contract/errors.ts';
import { MAX_EXPORTED } from '#contract/filters.ts';
import { type llmCallRoutes, MAX_MATCHES_WITH_DURATION } from '#contract/llm-calls.ts';
import type { Handlers } from '../handler.ts';
import { listFile } from '../lib/list-file.ts';
import type { Db } from '../storage/open.ts';
import { phrasesOf } from '../storage/search/word-rules.ts';
import { withPrompts } from './prompt-filter.ts';
import { listCallIds, listCallsByIds } from './queries.ts';

const ROWS_AT_ONCE = 1000;

const fields = [
  'id',
  'run_id',
  'created_at',
  'model',
  'provider',
  'agent_name',
  'workflow_name',
  'task',
  'duration_ms',
  'time_to_first_token_ms',
  'tokens_in',
  'tokens_out',
  'total_tokens',
  'cache_read_tokens',
  'cache_write_tokens',
  'reasoning_tokens',
  'cost',
  'cost_source',
  'finish_reason',
  'prompt_preview',
  'response_preview',
] as const;

/** Exports calls. The ids are read at once, and the rows while the file is being sent. */
export const exportLlmCalls: Handlers<typeof llmCallRoutes>['exportLlmCalls'] = async (
  { storage },
  { caller: { tenantId }, query },
) => {
  const { search = '', format, ...list } = await withPrompts(storage.reader, tenantId, query);
  const phrases = search.trim() === '' ? undefined : phrasesOf(search);
  if (phrases && phrases.length > 0 && !(await storage.search.catchUp(tenantId)))
    throw new ApiError(
      'index_incomplete',
      'the latest calls are not indexed yet: try again in a minute',
    );
  // A search without any word matches nothing.
  const { ids, isCut } =
    phrases?.length === 0
      ? { ids: [], isCut: false }
      : await listCallIds(storage, tenantId, { ...list, phrases }, MAX_EXPORTED + 1);
  if (isCut)
    throw new ApiError(
      'validation_error',
      `More than ${MAX_MATCHES_WITH_DURATION.toLocaleString('en')} calls match. Their durations cannot all be read: choose a shorter time or another filter.`,
    );
  if (ids.length > MAX_EXPORTED)
    throw new ApiError(
      'validation_error',
      `the filter matches more than ${MAX_EXPORTED} LLM calls: no more can be exported at once`,
    );
  const batches = batchesOf(storage.reader, tenantId, ids);
  return listFile({ format, name: 'llm-calls', fields, batches });
};

async function* batchesOf(db: Db, tenantId: string, ids: readonly number[]) {
  for (let from = 0; from < ids.length; from += ROWS_AT_ONCE) {
    const rows = await listCallsByIds(db, tenantId, ids.slice(from, from + ROWS_AT_ONCE));
    yield rows.map((row) => ({ ...row, created_at: new Date(row.created_at).toISOString() }));
  }
}
