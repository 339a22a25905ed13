import { ApiError } from '#contract/errors.ts';
import type { captureRoutes } from '#contract/captures.ts';
import type { Handlers } from '../handler.ts';
import { pageOf } from '../http/pagination.ts';
import { agentHandlers } from './agent-handlers.ts';
import { exportCaptures } from './export-captures.ts';
import { countCapturesOverTime, listCaptures } from './list-queries.ts';
import { findCapture, findRunOf } from './queries.ts';

export const captureHandlers: Handlers<typeof captureRoutes> = {
  ...agentHandlers,

  async listCaptures({ storage }, { caller, query, url }) {
    const captures = await listCaptures(storage.reader, caller.tenantId, query);
    const { count_exact, incomplete } = captures;
    return { ...pageOf(url, query, captures), count_exact, incomplete };
  },

  summarizeCaptures: ({ storage }, { caller, query }) =>
    countCapturesOverTime(storage.reader, caller.tenantId, query),

  exportCaptures,

  async getCapture({ storage }, { caller, params }) {
    const capture = await findCapture(storage.reader, caller.tenantId, params.id);
    if (!capture) throw new ApiError('not_found', `there is no capture ${params.id}`);
    return { ...capture, run_id: await findRunOf(storage.reader, caller.tenantId, capture) };
  },
};
