import type { inventoryRuleRoutes } from '#contract/inventory-rules.ts';
import type { Handlers } from '../http/handler.ts';
import { pageOf } from '../http/page.ts';
import { changeRule, noRule, shown } from './change-rule.ts';
import { preview } from './preview-rule.ts';
import { findRule, listRules } from './rule-queries.ts';

export const inventoryRuleHandlers: Handlers<typeof inventoryRuleRoutes> = {
  async listInventoryRules({ storage }, { caller, query, url }) {
    const { rows, count } = await listRules(storage.db, caller.tenantId, query);
    return pageOf(url, query, { rows: rows.map(shown), count });
  },

  async getInventoryRule({ storage }, { caller, params }) {
    const rule = await findRule(storage.db, caller.tenantId, params.id);
    if (!rule) throw noRule(params.id);
    return shown(rule);
  },

  createInventoryRule: async (context, call) =>
    shown(await changeRule(context, call, null, call.body)),

  replaceInventoryRule: async (context, call) =>
    shown(await changeRule(context, call, call.params.id, call.body)),

  async deleteInventoryRule(context, call) {
    await changeRule(context, call, call.params.id, null);
    return undefined;
  },

  previewInventoryRule: ({ storage }, { caller, body }) => preview(storage, caller.tenantId, body),
};
