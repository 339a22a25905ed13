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

  async getRun(context, request) {
    const { reader } = context.storage;
    const run = await requireRun(context, request);
    const runKey = ofRun(request);
    const ofThisRun = { run_id: request.params.id, ...FIRST };
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

  async getRunTrace(context, request) {
    const { reader } = context.storage;
    const { cursor, limit } = request.query;
    await requireRun(context, request);
    const { tenantId } = request.caller;
    const { ids, cut } = await findRunTree(reader, ofRun(request));
    const after = cursor === undefined ? undefined : readCursor(cursor);
    const { items, next } = await listTraceItems(reader, { tenantId, runIds: ids, after, limit });
    return { items, next_cursor: next && cursorText(next), runs_left_out: cut };
  },

  async searchRunTrace(context, request) {
    const { reader } = context.storage;
    await requireRun(context, request);
    const { ids } = await findRunTree(reader, ofRun(request));
    return searchTrace(reader, request.caller.tenantId, ids, request.query.text);
  },

  listRunLlmCalls: (context, request) => pageOfRun(context, request, listRunLlmCalls),
  listRunSteps: (context, request) => pageOfRun(context, request, listRunSteps),
  listRunSpans: (context, request) => pageOfRun(context, request, listRunSpans),
  listRunScores: (context, request) => pageOfRun(context, request, listRunScores),

  getStep: (context, request) =>
    itemOfRun(context, request, 'step', findStep, request.params.step_id),
  getSpan: (context, request) =>
    itemOfRun(context, request, 'span', findSpan, request.params.span_id),
};

interface RunRequest {
  caller: { tenantId: string };
  params: { id: number };
}

const ofRun = ({ caller, params }: RunRequest): OfRun => ({
  tenantId: caller.tenantId,
  runId: params.id,
});

async function requireRun({ storage }: Context, { caller, params }: RunRequest) {
  const run = await findRunDetail(storage.reader, caller.tenantId, params.id);
  if (!run) throw new ApiError('not_found', `there is no run ${params.id}`);
  return run;
}

type Paging = typeof FIRST;

async function pageOfRun<T>(
  context: Context,
  request: RunRequest & { query: Paging; url: URL },
  list: (db: Db, run: OfRun, paging: Paging) => Promise<PageRows<T>>,
): Promise<Page<T>> {
  await requireRun(context, request);
  return pageOf(
    request.url,
    request.query,
    await list(context.storage.reader, ofRun(request), request.query),
  );
}

/** Returns one item of a run in full, which lists may shorten. */
async function itemOfRun<T>(
  { storage: { reader } }: Context,
  request: RunRequest,
  kind: string,
  find: (db: Context['storage']['reader'], run: OfRun, id: number) => Promise<T | undefined>,
  id: number,
): Promise<T> {
  const item = await find(reader, ofRun(request), id);
  if (!item)
    throw new ApiError('not_found', `there is no ${kind} ${id} in run ${request.params.id}`);
  return item;
}
