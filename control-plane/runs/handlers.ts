import { ApiError } from '#contract/errors.ts';
import type { runRoutes } from '#contract/runs.ts';
import type { Handlers } from '../http/call.ts';
import { pageOf } from '../http/page.ts';
import { findRunContents, findRunDetail, listRuns } from './queries.ts';

export const runHandlers: Handlers<typeof runRoutes> = {
  async listRuns(context, { caller, query, url }) {
    const { rows, count } = await listRuns(context.storage.db, caller.tenantId, query);
    return pageOf(url, query, { rows: rows.map(withDuration), count });
  },

  async getRun(context, { caller, params }) {
    const { db } = context.storage;
    const run = await findRunDetail(db, caller.tenantId, params.id);
    if (!run) throw new ApiError('not_found', `there is no run ${params.id}`);
    const contents = await findRunContents(db, caller.tenantId, run.id);
    return { ...withDuration(run), workflow_id: `wf_${run.workflow_id}`, ...contents };
  },
};

/** Seconds; null while the run goes on. */
const withDuration = <T extends { started_at: number; completed_at: number | null }>(run: T) => ({
  ...run,
  duration: run.completed_at === null ? null : (run.completed_at - run.started_at) / 1000,
});
