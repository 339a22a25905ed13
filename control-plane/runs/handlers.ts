import { ApiError } from '#contract/errors.ts';
import type { runRoutes } from '#contract/runs.ts';
import type { Context } from '../context.ts';
import type { Handlers } from '../handler.ts';
import { type PageRows, type Page, pageOf } from '../http/pagination.ts';
import { listRunMemory } from '../memory/queries.ts';
import { withShortContents } from '../memory/slot-contents.ts';
import { listEvaluations } from '../evaluations/queries.ts';
import { listIncidents } from '../incidents/queries.ts';
import type { Db } from '../storage/open.ts';
import { findRunFindings } from './findings-queries.ts';
import {
  countErrors,
  findCapturedOn,
  findRunDevice,
  findRunDetail,
  findSpan,
  findStep,
  listRunLlmCalls,
  listRunScores,
  listRunSpans,
  listRunSteps,
  type OfRun,
} from './queries.ts';
import { runListHandlers } from './list-handlers.ts';
import { runView } from './rules.ts';
import { findRunTree, listTraceItems } from './trace-queries.ts';
import { cursorText, readCursor } from './trace-rules.ts';
import { searchTrace } from './trace-search-queries.ts';

const FIRST = { limit: 100, offset: 0 };

export const runHandlers: Handlers<typeof runRoutes> = {
  ...runListHandlers,

  async getRun(context, call) {
    const { reader } = context.storage;
    const run = await requireRun(context, call);
    const runKey = ofRun(call);
    const ofThisRun = { run_id: call.params.id, ...FIRST };
    const { tenantId, runId } = runKey;
    const [
      llm_calls,
      steps,
      spans,
      scores,
      evaluations,
      incidents,
      memory,
      captured,
      device,
      errors,
      findingsOf,
    ] = await Promise.all([
      listRunLlmCalls(reader, runKey, FIRST),
      listRunSteps(reader, runKey, FIRST),
      listRunSpans(reader, runKey, FIRST),
      listRunScores(reader, runKey, FIRST),
      listEvaluations(context.storage, tenantId, ofThisRun),
      listIncidents(reader, tenantId, ofThisRun),
      listRunMemory(reader, tenantId, runId, { limit: FIRST.limit, now: context.now() }),
      findCapturedOn(reader, tenantId, run),
      findRunDevice(reader, tenantId, run.device_id),
      countErrors(reader, runKey),
      findRunFindings(reader, tenantId, [runId]),
    ]);
    return {
      ...runView(run),
      ...findingsOf(runId),
      error_count: errors,
      workflow_id: `wf_${run.workflow_id}`,
      captured,
      device,
      counts: {
        llm_calls: llm_calls.count,
        steps: steps.count,
        spans: spans.count,
        scores: scores.count,
        evaluations: evaluations.count,
        incidents: incidents.count,
      },
      llm_calls: llm_calls.rows,
      steps: steps.rows,
      spans: spans.rows,
      scores: scores.rows,
      evaluations: evaluations.rows,
      incidents: incidents.rows,
      memory: await withShortContents(reader, tenantId, memory),
    };
  },

  async getRunTrace(context, call) {
    const { reader } = context.storage;
    const { cursor, limit } = call.query;
    await requireRun(context, call);
    const { tenantId } = call.caller;
    const { ids, cut } = await findRunTree(reader, ofRun(call));
    const after = cursor === undefined ? undefined : readCursor(cursor);
    const { items, next } = await listTraceItems(reader, { tenantId, runIds: ids, after, limit });
    return { items, next_cursor: next && cursorText(next), runs_left_out: cut };
  },

  async searchRunTrace(context, call) {
    const { reader } = context.storage;
    await requireRun(context, call);
    const { ids } = await findRunTree(reader, ofRun(call));
    return searchTrace(reader, call.caller.tenantId, ids, call.query.text);
  },

  listRunLlmCalls: (context, call) => pageOfRun(context, call, listRunLlmCalls),
  listRunSteps: (context, call) => pageOfRun(context, call, listRunSteps),
  listRunSpans: (context, call) => pageOfRun(context, call, listRunSpans),
  listRunScores: (context, call) => pageOfRun(context, call, listRunScores),

  getStep: (context, call) => itemOfRun(context, call, 'step', findStep, call.params.step_id),
  getSpan: (context, call) => itemOfRun(context, call, 'span', findSpan, call.params.span_id),
};

interface RunCall {
  caller: { tenantId: string };
  params: { id: number };
}

const ofRun = ({ caller, params }: RunCall): OfRun => ({
  tenantId: caller.tenantId,
  runId: params.id,
});

async function requireRun({ storage }: Context, { caller, params }: RunCall) {
  const run = await findRunDetail(storage.reader, caller.tenantId, params.id);
  if (!run) throw new ApiError('not_found', `there is no run ${params.id}`);
  return run;
}

type Paging = typeof FIRST;

async function pageOfRun<T>(
  context: Context,
  call: RunCall & { query: Paging; url: URL },
  list: (db: Db, run: OfRun, paging: Paging) => Promise<PageRows<T>>,
): Promise<Page<T>> {
  await requireRun(context, call);
  return pageOf(call.url, call.query, await list(context.storage.reader, ofRun(call), call.query));
}

/** Returns one item of a run in full, which lists may shorten. */
async function itemOfRun<T>(
  { storage: { reader } }: Context,
  call: RunCall,
  kind: string,
  find: (db: Context['storage']['reader'], run: OfRun, id: number) => Promise<T | undefined>,
  id: number,
): Promise<T> {
  const item = await find(reader, ofRun(call), id);
  if (!item) throw new ApiError('not_found', `there is no ${kind} ${id} in run ${call.params.id}`);
  return item;
}
