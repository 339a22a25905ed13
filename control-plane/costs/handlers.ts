import type { costRoutes } from '#contract/costs.ts';
import { ApiError } from '#contract/errors.ts';
import type { Handlers } from '../http/call.ts';
import { listModelCosts, overrideEntry } from './listing.ts';
import { countUnpriced, deleteOverride, listOverrides, putOverride } from './queries.ts';
import { latestRecomputation, startRecomputation } from './recompute-job.ts';

const LONGEST_ID = 200;

export const costHandlers: Handlers<typeof costRoutes> = {
  async listModelCosts(context, { caller }) {
    const overrides = await listOverrides(context.storage.db, caller.tenantId);
    const results = listModelCosts(await context.prices(), overrides, context.now());
    return { results, count: results.length };
  },

  findRecomputation: (context, { caller }) => latestRecomputation(context, caller.tenantId),

  startRecomputation: (context, { caller, body }) =>
    startRecomputation(context, caller.tenantId, body),

  async putModelCost(context, { caller: { tenantId }, params, body }) {
    const model_id = params.model_id.trim();
    if (model_id === '' || model_id.length > LONGEST_ID)
      throw new ApiError('validation_error', `model_id: expected 1 to ${LONGEST_ID} characters`);
    const override = { model_id, ...body, updated_at: context.now() };
    await putOverride(context.storage.db, tenantId, override);
    context.storage.signals.publish({ tenant_id: tenantId, topic: 'settings' });
    return overrideEntry(await context.prices(), override, override.updated_at);
  },

  async deleteModelCost(context, { caller: { tenantId }, params }) {
    if (!(await deleteOverride(context.storage.db, tenantId, params.model_id.trim())))
      throw new ApiError(
        'not_found',
        `there is no override for ${JSON.stringify(params.model_id)}`,
      );
    context.storage.signals.publish({ tenant_id: tenantId, topic: 'settings' });
    return undefined;
  },

  async listUnpriced(context, { caller }) {
    const results = await countUnpriced(context.storage.db, caller.tenantId);
    return { results, count: results.length };
  },
};
