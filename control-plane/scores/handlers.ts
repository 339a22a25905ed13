import { z } from 'zod';
import { ApiError } from '#contract/errors.ts';
import { type NewScore, scoreRoutes } from '#contract/scores.ts';
import { hoursOf, startOfHour } from '../analytics/period.ts';
import { withAudit } from '../audit/with-audit.ts';
import type { Context } from '../context.ts';
import type { Handlers } from '../handler.ts';
import { pageOf } from '../http/pagination.ts';
import { exportScores } from './export-scores.ts';
import {
  findCall,
  findScore,
  listScoreDays,
  listScores,
  listValueCounts,
  runExists,
  sumScores,
} from './queries.ts';
import { aggregatesOf, scoreView, averageOf, distributionsOf, valueColumns } from './rules.ts';
import { summarizeScores } from './summary-queries.ts';

export const scoreHandlers: Handlers<typeof scoreRoutes> = {
  async listScores({ storage: { reader } }, { caller, query, url }) {
    const aggregates = aggregatesOf(await sumScores(reader, caller.tenantId, query));
    const count = aggregates.total_count;
    // Without matches, no page is read.
    const rows =
      query.offset < count ? await listScores(reader, caller.tenantId, query, count) : [];
    return { ...pageOf(url, query, { rows: rows.map(scoreView), count }), aggregates };
  },

  async summarizeScores({ storage: { reader } }, { caller, query }) {
    const { length, buckets } = await summarizeScores(reader, caller.tenantId, query);
    return {
      count: buckets.reduce((sum, { scores }) => sum + scores, 0),
      avg_numeric_value: averageOf(buckets),
      bucket_seconds: length / 1000,
      buckets: buckets.map((bucket) => ({
        start: bucket.start,
        scores: bucket.scores,
        avg: averageOf([bucket]),
      })),
    };
  },

  exportScores,

  async getScore({ storage: { reader } }, { caller, params: { score_id } }) {
    const score = await findScore(reader, caller.tenantId, score_id);
    if (!score) throw new ApiError('not_found', `there is no score ${score_id}`);
    return scoreView(score);
  },

  async createScore(context, request) {
    const { caller, body } = request;
    const { tenantId, userId } = caller;
    const target = await targetOf(context, tenantId, body);
    const created_at = context.now();
    const masker = await context.maskerOf(tenantId);
    const values = valueColumns(body);
    const { comment, metadata, string_value } = masker.mask({
      comment: body.comment,
      metadata: body.metadata,
      string_value: values.string_value,
    });
    const summary = {
      id: context.newId('scr'),
      name: body.name,
      data_type: body.data_type,
      source: 'manual' as const,
      ...values,
      string_value,
      created_at,
    };
    const score = {
      ...summary,
      llm_call_id: target.llm_call_id,
      llm_call_model: target.llm_call_model,
      comment: comment ?? null,
      metadata: metadata ? JSON.stringify(metadata) : null,
      author_user_id: userId,
      evaluator_id: null,
      evaluator_name: null,
    };
    await context.recorder.add(
      { tenantId, runId: target.run_id, at: created_at },
      { scores: [score] },
    );
    const { run_id, llm_call_id } = scoreView({
      ...score,
      run_agent_name: '',
      run_id: target.run_id,
    });
    const created = { ...summary, run_id, llm_call_id };
    // This is a separate transaction after the recording, which shares its transaction among
    // requests.
    await withAudit(context, request, (_trx, audit) =>
      audit({
        action: 'score.create',
        resource_type: 'score',
        resource_id: created.id,
        after: z.encode(scoreRoutes.createScore.response, created),
      }),
    );
    return created;
  },

  async getScoreAnalytics(context, { caller, query: { period, name, agent } }) {
    const hours = hoursOf(period, context.now());
    const filter = { agent, name, hours };
    const { reader } = context.storage;
    const [days, values] = await Promise.all([
      listScoreDays(reader, caller.tenantId, filter),
      listValueCounts(reader, caller.tenantId, filter),
    ]);
    return { period, since: startOfHour(hours.from), distributions: distributionsOf(days, values) };
  },
};

/**
 * Returns the run that is scored, and the call, if any. A score on a call also counts for its run.
 */
async function targetOf(
  { storage: { reader } }: Context,
  tenantId: string,
  { run_id, llm_call_id }: NewScore,
) {
  if (run_id !== undefined && !(await runExists(reader, tenantId, run_id)))
    throw new ApiError('not_found', `there is no run ${run_id}`);
  if (llm_call_id === undefined)
    return { run_id: run_id as number, llm_call_id: null, llm_call_model: null };
  const call = await findCall(reader, tenantId, llm_call_id);
  if (!call) throw new ApiError('not_found', `there is no LLM call ${llm_call_id}`);
  if (run_id !== undefined && run_id !== call.run_id)
    throw new ApiError(
      'validation_error',
      `llm_call_id: LLM call ${llm_call_id} belongs to run ${call.run_id}, not to run ${run_id}`,
    );
  return { run_id: call.run_id, llm_call_id, llm_call_model: call.model };
}
