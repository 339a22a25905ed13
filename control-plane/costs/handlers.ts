import { z } from 'zod';
import { type costRoutes, modelCost } from '#contract/costs.ts';
import { ApiError } from '#contract/errors.ts';
import { withAudit } from '../audit/with-audit.ts';
import type { Handlers } from '../handler.ts';
import { listModelCosts, overrideEntry } from './listing.ts';
import type { Prices } from './pricer.ts';
import {
  countUnpriced,
  deleteOverride,
  findOverride,
  listOverrides,
  type Override,
  putOverride,
} from './queries.ts';

const MAX_ID_LENGTH = 200;

export const costHandlers: Handlers<
  Omit<typeof costRoutes, 'findRecomputation' | 'startRecomputation'>
> = {
  async listModelCosts(context, { caller }) {
    const overrides = await listOverrides(context.storage.db, caller.tenantId);
    const results = listModelCosts(await context.prices(), overrides, context.now());
    return { results, count: results.length };
  },

  async putModelCost(context, request) {
    const { params, body } = request;
    const { tenantId } = request.caller;
    const model_id = params.model_id.trim();
    if (model_id === '' || model_id.length > MAX_ID_LENGTH)
      throw new ApiError('validation_error', `model_id: expected 1 to ${MAX_ID_LENGTH} characters`);
    const override = { model_id, ...body, updated_at: context.now() };
    const prices = await context.prices();
    await withAudit(context, request, async (tx, audit) => {
      const before = await findOverride(tx.db, tenantId, model_id);
      await putOverride(tx, tenantId, override);
      audit({
        action: 'model_cost.set',
        resource_type: 'model_cost',
        resource_id: model_id,
        before: before && priceView(prices, before),
        after: priceView(prices, override),
      });
    });
    context.storage.signals.publish({ tenant_id: tenantId, topic: 'settings' });
    return overrideEntry(prices, override, override.updated_at);
  },

  async deleteModelCost(context, request) {
    const { tenantId } = request.caller;
    const model_id = request.params.model_id.trim();
    const prices = await context.prices();
    await withAudit(context, request, async (tx, audit) => {
      const before = await findOverride(tx.db, tenantId, model_id);
      if (!before || !(await deleteOverride(tx, tenantId, model_id)))
        throw new ApiError('not_found', `there is no override for ${JSON.stringify(model_id)}`);
      audit({
        action: 'model_cost.delete',
        resource_type: 'model_cost',
        resource_id: before.model_id,
        before: priceView(prices, before),
      });
    });
    context.storage.signals.publish({ tenant_id: tenantId, topic: 'settings' });
    return undefined;
  },

  async listUnpriced(context, { caller }) {
    const results = await countUnpriced(context.storage.db, caller.tenantId);
    return { results, count: results.length };
  },
};

/** Returns a tenant's override in the form of the API. */
const priceView = (prices: Prices, override: Override) =>
  z.encode(modelCost, overrideEntry(prices, override, override.updated_at));
