import { ApiError } from '#contract/errors.ts';
import type { recordingRoutes } from '#contract/recording.ts';
import type { Context } from '../context.ts';
import type { Handlers } from '../handler.ts';
import { toCompletionResponse, situationOfStart } from './run-phases.ts';
import type { Verdict } from '../policies/verdict.ts';
import type { Telemetry } from './queries.ts';
import type { BatchId, Target } from './write-requests.ts';
import { callRow, endOf, runRow, scoreRow, spanRow, stepRow } from './rules.ts';

export const recordingHandlers: Handlers<typeof recordingRoutes> = {
  async startRun(context, { caller: { tenantId, keyId: api_key_id }, body }) {
    const started_at = timestampOf(context, 'started_at', body.started_at);
    const masker = await context.maskerOf(tenantId);
    const row = runRow(tenantId, body, started_at, masker);
    const { remembered, evaluations } = await context.governance.evaluateStart(
      tenantId,
      situationOfStart(row),
    );
    const run = await context.recorder.start(
      { ...row, api_key_id, remembered },
      body.batch_id,
      evaluations,
    );
    return {
      run_id: String(run.id),
      workflow_id: `wf_${run.workflow_id}`,
      started_at: run.started_at,
    };
  },

  async completeRun(context, request) {
    const { body } = request;
    const to = target(context, request);
    const masker = await context.maskerOf(to.tenantId);
    const completed_at = timestampOf(context, 'completed_at', body.completed_at);
    const steps = body.steps.map((step) => stepRow(step, to.at, masker));
    const end = endOf(body, completed_at, masker);
    const run = await context.recorder.complete(to, end, { steps }, body.batch_id);
    const verdict = await evaluateQuietly(context, () =>
      run
        ? context.governance.onRunEnd(run)
        : context.governance.findFinalVerdict(to.tenantId, to.runId),
    );
    return { status: 'ok', ...toCompletionResponse(verdict) };
  },

  async recordLlmCalls(context, request) {
    const to = target(context, request);
    const masker = await context.maskerOf(to.tenantId);
    const price = await context.pricerOf(to.tenantId);
    const calls = request.body.calls.map((item, index) => {
      const created_at = timestampOf(context, `calls[${index}].created_at`, item.created_at);
      return callRow(item, created_at, { price, masker });
    });
    return recorded(calls.length, await add(context, to, { calls }, request.body.batch_id));
  },

  async recordSteps(context, request) {
    const to = target(context, request);
    const masker = await context.maskerOf(to.tenantId);
    const steps = request.body.steps.map((step) => stepRow(step, to.at, masker));
    return recorded(steps.length, await add(context, to, { steps }, request.body.batch_id));
  },

  async recordSpans(context, request) {
    const to = target(context, request);
    const masker = await context.maskerOf(to.tenantId);
    const spans = request.body.spans.map((span) => spanRow(span, to.at, masker));
    return recorded(spans.length, await add(context, to, { spans }, request.body.batch_id));
  },

  async recordScores(context, request) {
    const to = target(context, request);
    const masker = await context.maskerOf(to.tenantId);
    const scores = request.body.scores.map((score) =>
      scoreRow(score, context.newId('scr'), to.at, masker),
    );
    await add(context, to, { scores }, request.body.batch_id);
    return { recorded: scores.length };
  },
};

/** Stores telemetry and evaluates the policies that act during a run. */
async function add(
  context: Context,
  to: Target,
  telemetry: Telemetry,
  batch: BatchId,
): Promise<Verdict | null> {
  const run = await context.recorder.add(to, telemetry, batch);
  return await evaluateQuietly(
    context,
    () => run && context.governance.onTelemetry(run, telemetry),
  );
}

/** Evaluates telemetry, which stays recorded even if the evaluation fails. */
async function evaluateQuietly(
  context: Context,
  evaluate: () => Promise<Verdict | null> | undefined,
): Promise<Verdict | null> {
  try {
    return (await evaluate()) ?? null;
  } catch (error) {
    context.log.error(error, 'policy evaluation of a run failed');
    return null;
  }
}

const recorded = (count: number, verdict: Verdict | null) => ({
  status: 'ok' as const,
  count,
  ...(verdict &&
    verdict.action !== 'allow' && {
      governance_action: verdict.action,
      governance_reason: verdict.reason,
    }),
});

interface RunRequest {
  caller: { tenantId: string };
  params: { run_id: number };
}

const target = (context: Context, { caller, params }: RunRequest): Target => ({
  tenantId: caller.tenantId,
  runId: params.run_id,
  at: context.now(),
});

const MAX_CLOCK_SKEW_MS = 24 * 3_600_000;

/** Returns the client's timestamp, or the current time without one. */
function timestampOf(
  context: Context,
  field: string,
  timestamp: number | null | undefined,
): number {
  const now = context.now();
  if (typeof timestamp === 'number' && timestamp > now + MAX_CLOCK_SKEW_MS)
    throw new ApiError('validation_error', `${field}: more than a day in the future`);
  return timestamp ?? now;
}
