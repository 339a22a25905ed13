import { MAX_EXPORTED } from '#contract/filters.ts';
import type { scoreRoutes } from '#contract/scores.ts';
import type { Handlers } from '../handler.ts';
import { EXPORTED_AT_ONCE, listFile, refuseTooMany } from '../lib/list-file.ts';
import type { Db } from '../storage/open.ts';
import { listScoreIds, scoresOf, sumScores } from './queries.ts';
import { aggregatesOf, scoreView } from './rules.ts';

const fields = [
  'id',
  'name',
  'data_type',
  'numeric_value',
  'string_value',
  'source',
  'created_at',
  'run_id',
  'run_agent_name',
  'llm_call_id',
  'llm_call_model',
  'author_user_id',
  'evaluator_name',
  'comment',
] as const;

/** Exports scores. The ids are read at once, and the rows while the file is being sent. */
export const exportScores: Handlers<typeof scoreRoutes>['exportScores'] = async (
  { storage: { reader } },
  { caller: { tenantId }, query: { format, ...filter } },
) => {
  const { total_count } = aggregatesOf(await sumScores(reader, tenantId, filter));
  refuseTooMany(total_count, 'scores');
  const page = { ...filter, limit: MAX_EXPORTED, offset: 0 };
  const ids = total_count === 0 ? [] : await listScoreIds(reader, tenantId, page, total_count);
  return listFile({ format, name: 'scores', fields, batches: batchesOf(reader, tenantId, ids) });
};

async function* batchesOf(db: Db, tenantId: string, ids: readonly string[]) {
  for (let from = 0; from < ids.length; from += EXPORTED_AT_ONCE) {
    const rows = await scoresOf(db, tenantId, ids.slice(from, from + EXPORTED_AT_ONCE));
    yield rows.map((row) => ({
      ...scoreView(row),
      created_at: new Date(row.created_at).toISOString(),
    }));
  }
}
