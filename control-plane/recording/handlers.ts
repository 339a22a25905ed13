import { ApiError } from '#contract/errors.ts';
import type { recordingRoutes } from '#contract/recording.ts';
import type { Context } from '../context.ts';
import type { Handlers } from '../http/call.ts';
import type { Target } from './write.ts';
import { callRow, endOf, runRow, scoreRow, spanRow, stepRow } from './rules.ts';

export const recordingHandlers: Handlers<typeof recordingRoutes> = {
  async startRun(context, { caller: { tenantId }, body }) {
    const started_at = happened(context, 'started_at', body.started_at);
    const masker = await context.maskerOf(tenantId);
    const run = await context.recorder.start(
      runRow(tenantId, body, started_at, masker),
      body.batch_id,
    );
    return {
      run_id: String(run.id),
      workflow_id: `wf_${run.workflow_id}`,
      started_at: run.started_at,
    };
  },

  async completeRun(context, call) {
    const { body } = call;
    const to = target(context, call);
    const masker = await context.maskerOf(to.tenantId);
    const completed_at = happened(context, 'completed_at', body.completed_at);
    const steps = body.steps.map((step) => stepRow(step, to.at, masker));
    await context.recorder.complete(
      to,
      endOf(body, completed_at, masker),
      { steps },
      body.batch_id,
    );
    return {
      status: 'ok',
      governance_action: 'allow',
      should_retry: false,
      retry_feedback: null,
      max_retries: 0,
    };
  },

  async recordLlmCalls(context, call) {
    const to = target(context, call);
    const masker = await context.maskerOf(to.tenantId);
    const price = await context.pricerOf(to.tenantId);
    const calls = call.body.calls.map((item, index) => {
      const created_at = happened(context, `calls[${index}].created_at`, item.created_at);
      return callRow(item, created_at, { price, masker });
    });
    await context.recorder.add(to, { calls }, call.body.batch_id);
    return { status: 'ok', count: calls.length };
  },

  async recordSteps(context, call) {
    const to = target(context, call);
    const masker = await context.maskerOf(to.tenantId);
    const steps = call.body.steps.map((step) => stepRow(step, to.at, masker));
    await context.recorder.add(to, { steps }, call.body.batch_id);
    return { status: 'ok', count: steps.length };
  },

  async recordSpans(context, call) {
    const to = target(context, call);
    const masker = await context.maskerOf(to.tenantId);
    const spans = call.body.spans.map((span) => spanRow(span, to.at, masker));
    await context.recorder.add(to, { spans }, call.body.batch_id);
    return { status: 'ok', count: spans.length };
  },

  async recordScores(context, call) {
    const to = target(context, call);
    const masker = await context.maskerOf(to.tenantId);
    const scores = call.body.scores.map((score) =>
      scoreRow(score, context.newId('scr'), to.at, masker),
    );
    await context.recorder.add(to, { scores }, call.body.batch_id);
    return { recorded: scores.length };
  },
};

interface OnRun {
  caller: { tenantId: string };
  params: { run_id: number };
}

const target = (context: Context, { caller, params }: OnRun): Target => ({
  tenantId: caller.tenantId,
  runId: params.run_id,
  at: context.now(),
});

const CLOCKS_DIFFER_MS = 24 * 3_600_000;

/** When the client says it happened, or now. */
function happened(context: Context, field: string, given: number | null | undefined): number {
  const now = context.now();
  if (typeof given === 'number' && given > now + CLOCKS_DIFFER_MS)
    throw new ApiError('validation_error', `${field}: lies more than a day in the future`);
  return given ?? now;
}
