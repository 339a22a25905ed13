import { createHash } from 'node:crypto';
import { ApiError } from '#contract/errors.ts';
import type { recordingRoutes } from '#contract/recording.ts';
import type { Context } from '../context.ts';
import type { Handlers } from '../http/call.ts';
import type { Db } from '../storage/open.ts';
import { tablePrice } from './prices.ts';
import {
  completeRun,
  findRun,
  insertLlmCalls,
  insertRun,
  insertScores,
  insertSpans,
  insertSteps,
  workflowIdOf,
} from './queries.ts';
import { attribution, costOf, scoreRow, spanRow, stepRow } from './rules.ts';

export const recordingHandlers: Handlers<typeof recordingRoutes> = {
  async startRun(context, { caller, body }) {
    const pair = {
      tenant_id: caller.tenantId,
      agent_name: body.agent_name,
      workflow_name: body.workflow_name,
    };
    const started_at = context.now();
    const { run_id, workflow_id } = await inTransaction(context, async (db) => {
      if (body.parent_run_id !== undefined)
        await requireRun(db, caller.tenantId, body.parent_run_id);
      const workflow_id = await workflowIdOf(db, pair);
      const run_id = await insertRun(db, {
        ...pair,
        ...attribution(body),
        workflow_id,
        parent_run_id: body.parent_run_id ?? null,
        trace_id: body.trace_id ?? null,
        tags: JSON.stringify(body.tags ?? []),
        inputs: body.inputs ? JSON.stringify(body.inputs) : null,
        metadata: body.metadata ? JSON.stringify(body.metadata) : null,
        result: null,
        error: null,
        status: 'running',
        started_at,
        completed_at: null,
        llm_call_count: 0,
        tokens: 0,
        cost: 0,
      });
      return { run_id, workflow_id };
    });
    announce(context, caller.tenantId, run_id);
    return { run_id: String(run_id), workflow_id: `wf_${workflow_id}`, started_at };
  },

  async completeRun(context, { caller, params, body }) {
    const { tenantId } = caller;
    const now = context.now();
    await inTransaction(context, async (db) => {
      const completed = await completeRun(
        db,
        { tenantId, id: params.run_id },
        {
          status: body.status,
          result: body.result ? JSON.stringify(body.result) : null,
          error: body.error ?? null,
          completed_at: now,
        },
      );
      if (!completed) {
        await requireRun(db, tenantId, params.run_id);
        throw new ApiError('conflict', `run ${params.run_id} is completed already`);
      }
      await insertSteps(db, body.steps.map(stepRow).map(rowOfRun(tenantId, params.run_id, now)));
    });
    announce(context, tenantId, params.run_id);
    return {
      status: 'ok',
      governance_action: 'allow',
      should_retry: false,
      retry_feedback: null,
      max_retries: 0,
    };
  },

  async recordLlmCalls(context, { caller, params, body }) {
    const { tenantId } = caller;
    const created_at = context.now();
    await inTransaction(context, async (db) => {
      const run = await requireRun(db, tenantId, params.run_id);
      const calls = body.calls.map((call) => ({
        row: {
          tenant_id: tenantId,
          run_id: run.id,
          created_at,
          model: call.model,
          task: call.task ?? null,
          agent_name: run.agent_name,
          workflow_name: run.workflow_name,
          tokens_in: call.tokens_in,
          tokens_out: call.tokens_out,
          total_tokens: call.tokens_in + call.tokens_out,
          ...costOf(call, tablePrice),
          prompt_hash: sha256(call.prompt_preview ?? ''),
        },
        body: {
          prompt_preview: call.prompt_preview ?? '',
          response_preview: call.response_preview ?? '',
        },
      }));
      await insertLlmCalls(db, { tenantId, id: run.id }, calls);
    });
    announce(context, tenantId, params.run_id);
    return { status: 'ok', count: body.calls.length };
  },

  async recordSteps(context, call) {
    const { steps } = call.body;
    await recordOnRun(context, call, (db, ofRun) => insertSteps(db, steps.map(stepRow).map(ofRun)));
    return { status: 'ok', count: steps.length };
  },

  async recordSpans(context, call) {
    const { spans } = call.body;
    await recordOnRun(context, call, (db, ofRun) => insertSpans(db, spans.map(spanRow).map(ofRun)));
    return { status: 'ok', count: spans.length };
  },

  async recordScores(context, call) {
    const { scores } = call.body;
    const own = () => ({ id: context.newId('scr'), source: 'sdk' as const });
    await recordOnRun(context, call, (db, ofRun) =>
      insertScores(
        db,
        scores.map(scoreRow).map((row) => ({ ...ofRun(row), ...own() })),
      ),
    );
    return { recorded: scores.length };
  },
};

interface OnRun {
  caller: { tenantId: string };
  params: { run_id: number };
}

/** Stores something that belongs to a run, which must exist, and tells who watches it. */
async function recordOnRun(
  context: Context,
  { caller: { tenantId }, params: { run_id } }: OnRun,
  store: (db: Db, ofRun: ReturnType<typeof rowOfRun>) => Promise<void>,
): Promise<void> {
  await inTransaction(context, async (db) => {
    await requireRun(db, tenantId, run_id);
    await store(db, rowOfRun(tenantId, run_id, context.now()));
  });
  announce(context, tenantId, run_id);
}

const inTransaction = <T>(context: Context, work: (db: Db) => Promise<T>): Promise<T> =>
  context.storage.db.transaction().execute(work);

async function requireRun(db: Db, tenantId: string, id: number) {
  const run = await findRun(db, tenantId, id);
  if (!run) throw new ApiError('not_found', `there is no run ${id}`);
  return run;
}

/** Marks a row as belonging to a run. */
const rowOfRun =
  (tenant_id: string, run_id: number, created_at: number) =>
  <T>(row: T) => ({ tenant_id, run_id, created_at, ...row });

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

function announce(context: Context, tenant_id: string, run_id: number): void {
  context.storage.signals.publish({ tenant_id, topic: 'runs', run_id });
}
