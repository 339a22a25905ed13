import type { inventoryRuleRoutes } from '#contract/inventory-rules.ts';
import { blocksNotInForce } from '../guard/blocks-not-in-force.ts';
import type { Handlers } from '../handler.ts';
import { pageOf } from '../http/pagination.ts';
import { changeRule, noRule, ruleView } from './change-rule.ts';
import { preview } from './preview-rule.ts';
import type { Db } from '../storage/open.ts';
import { findRule, listRules, type RuleWithCounts } from './rule-queries.ts';

/** Adds to rules the number of their blocks that are not in force. */
async function withCounts(
  db: Db,
  tenantId: string,
  rules: readonly RuleWithCounts[],
): Promise<RuleWithCounts[]> {
  if (!rules.some(({ action }) => action === 'block')) return [...rules];
  const found = await blocksNotInForce(db, tenantId);
  const byRule = Map.groupBy(found, ({ block }) => block.rule_id);
  return rules.map((rule) => ({
    ...rule,
    blocks_not_in_force: byRule.get(rule.id)?.length ?? 0,
  }));
}

export const inventoryRuleHandlers: Handlers<typeof inventoryRuleRoutes> = {
  async listInventoryRules({ storage }, { caller, query, url }) {
    const { rows, count } = await listRules(storage.db, caller.tenantId, query);
    const found = await withCounts(storage.db, caller.tenantId, rows);
    return pageOf(url, query, { rows: found.map(ruleView), count });
  },

  async getInventoryRule({ storage }, { caller, params }) {
    const rule = await findRule(storage.db, caller.tenantId, params.id);
    if (!rule) throw noRule(params.id);
    const [found = rule] = await withCounts(storage.db, caller.tenantId, [rule]);
    return ruleView(found);
  },

  createInventoryRule: async (context, request) =>
    ruleView(await changeRule(context, request, null, request.body)),

  replaceInventoryRule: async (context, request) =>
    ruleView(await changeRule(context, request, request.params.id, request.body)),

  async deleteInventoryRule(context, request) {
    await changeRule(context, request, request.params.id, null);
    return undefined;
  },

  previewInventoryRule: ({ storage }, { caller, body }) =>
    preview(storage.reader, caller.tenantId, body),
};
