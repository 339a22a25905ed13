import type { inventoryRuleRoutes } from '#contract/inventory-rules.ts';
import { blocksNotInForce } from '../guard/blocks-not-in-force.ts';
import type { Handlers } from '../http/handler.ts';
import { pageOf } from '../http/page.ts';
import { changeRule, noRule, shown } from './change-rule.ts';
import { preview } from './preview-rule.ts';
import type { Storage } from '../storage/open.ts';
import { findRule, listRules, type ShownRule } from './rule-queries.ts';

/** Adds to rules how many of their blocks are not in force. */
async function withCounts(
  storage: Pick<Storage, 'db' | 'bulk'>,
  tenantId: string,
  rules: readonly ShownRule[],
): Promise<ShownRule[]> {
  if (!rules.some(({ action }) => action === 'block')) return [...rules];
  const found = await blocksNotInForce(storage, tenantId);
  const byRule = Map.groupBy(found, ({ block }) => block.rule_id);
  return rules.map((rule) => ({
    ...rule,
    blocks_not_in_force: byRule.get(rule.id)?.length ?? 0,
  }));
}

export const inventoryRuleHandlers: Handlers<typeof inventoryRuleRoutes> = {
  async listInventoryRules({ storage }, { caller, query, url }) {
    const { rows, count } = await listRules(storage.db, caller.tenantId, query);
    const found = await withCounts(storage, caller.tenantId, rows);
    return pageOf(url, query, { rows: found.map(shown), count });
  },

  async getInventoryRule({ storage }, { caller, params }) {
    const rule = await findRule(storage.db, caller.tenantId, params.id);
    if (!rule) throw noRule(params.id);
    const [found = rule] = await withCounts(storage, caller.tenantId, [rule]);
    return shown(found);
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
