import { ApiError } from '#contract/errors.ts';
import { MAX_EXPORTED } from '#contract/filters.ts';
import type { runListRoutes } from '#contract/run-list.ts';
import type { Context } from '../context.ts';
import type { Handlers } from '../handler.ts';
import { pageOf } from '../http/pagination.ts';
import { listFile } from '../lib/list-file.ts';
import { roundedCost } from '../llm-calls/rules.ts';
import { findRuns } from './found-runs-queries.ts';
import { countRuns, eachRun, listRuns, type RunSelection, summarizeRuns } from './list-queries.ts';
import type { RunFilter } from './list-rules.ts';
import { runView } from './rules.ts';

const ROWS_AT_ONCE = 1000;

export const runListHandlers: Handlers<typeof runListRoutes> = {
  async listRuns(context, { caller, query, url }) {
    const { reader } = context.storage;
    const { limit, offset, sort, ...filter } = query;
    const { incomplete, selection } = await select(context, caller.tenantId, filter);
    const { rows, count } = await listRuns(reader, selection, { limit, offset, sort });
    return { ...pageOf(url, query, { rows: rows.map(runView), count }), incomplete };
  },

  async summarizeRuns(context, { caller, query }) {
    const { incomplete, selection } = await select(context, caller.tenantId, query);
    const { length, buckets } = await summarizeRuns(context.storage.reader, selection);
    const sum = (field: 'runs' | 'errors' | 'tokens' | 'cost' | 'duration'): number =>
      buckets.reduce((sum, bucket) => sum + bucket[field], 0);
    return {
      count: sum('runs'),
      error_count: sum('errors'),
      total_tokens: sum('tokens'),
      total_cost: roundedCost(sum('cost')),
      total_duration: sum('duration') / 1000,
      bucket_seconds: length / 1000,
      buckets: buckets.map((bucket) => ({ ...bucket, cost: roundedCost(bucket.cost) })),
      incomplete,
    };
  },

  async exportRuns(context, { caller, query }) {
    const { reader } = context.storage;
    const { format, sort, ...filter } = query;
    const { incomplete, selection } = await select(context, caller.tenantId, filter);
    if (incomplete)
      throw new ApiError(
        'index_incomplete',
        'the search did not find all runs yet: narrow it, or try again in a minute',
      );
    const count = await countRuns(reader, selection);
    if (count > MAX_EXPORTED)
      throw new ApiError(
        'validation_error',
        `the filter matches ${count} runs: at most ${MAX_EXPORTED} can be exported at once`,
      );
    return listFile({
      format,
      name: 'runs',
      fields: exported,
      batches: exportedRuns(context, selection, sort),
    });
  },
};

async function select({ storage }: Context, tenantId: string, { search, ...filter }: RunFilter) {
  const { ids, incomplete } = await findRuns(storage, tenantId, search);
  return { incomplete, selection: { tenantId, filter, found: ids } };
}

const exported = [
  'id',
  'agent_name',
  'workflow_name',
  'status',
  'started_at',
  'completed_at',
  'duration',
  'llm_call_count',
  'tokens',
  'cost',
  'error_count',
  'error',
  'user_id',
  'session_id',
  'trace_id',
  'tags',
  'verdict',
  'score_summaries',
] as const;

async function* exportedRuns(
  { storage: { reader } }: Context,
  selection: RunSelection,
  sort: Parameters<typeof eachRun>[2]['sort'],
) {
  const iso = (ms: number) => new Date(ms).toISOString();
  for await (const rows of eachRun(reader, selection, {
    sort,
    size: ROWS_AT_ONCE,
    max: MAX_EXPORTED,
  }))
    yield rows.map((row) => {
      const run = runView(row);
      return {
        ...run,
        started_at: iso(run.started_at),
        completed_at: run.completed_at === null ? null : iso(run.completed_at),
        tags: JSON.parse(run.tags) as string[],
      };
    });
}
