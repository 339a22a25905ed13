import { inventoryLock } from '../storage/locks.ts';
import { z } from 'zod';
import { ApiError } from '#contract/errors.ts';
import { inventoryRule, type InventoryRuleDocument } from '#contract/inventory-rules.ts';
import { withAudit } from '../audit/with-audit.ts';
import type { Context } from '../context.ts';
import type { SessionCaller } from '../http/caller.ts';
import { bumpConfigVersion } from '../tenants/config-version.ts';
import { FIRST_POSITION } from './evaluation/evaluate-changed-rule.ts';
import {
  findRule,
  insertRule,
  isNameTaken,
  type RuleRow,
  type RuleWithCounts,
  updateRule,
} from './rule-queries.ts';

interface AdminRequest {
  caller: SessionCaller;
  address: string;
}

/** Returns a rule in the form of the API. */
export const ruleView = (row: RuleWithCounts) => ({
  ...documentOf(row),
  id: row.id,
  evaluating: row.evaluated_to !== null || (row.enabled === 1 && Boolean(row.changes_wait)),
  open_incidents: row.open_incidents,
  blocks_not_in_force: row.blocks_not_in_force ?? 0,
  created_at: row.created_at,
  updated_at: row.updated_at,
  updated_by: row.updated_by,
});

const documentOf = (row: RuleRow): InventoryRuleDocument => ({
  name: row.name,
  description: row.description,
  enabled: row.enabled === 1,
  condition: JSON.parse(row.condition) as InventoryRuleDocument['condition'],
  scope: JSON.parse(row.scope) as InventoryRuleDocument['scope'],
  action: row.action,
});

export const noRule = (id: string): ApiError =>
  new ApiError('not_found', `there is no inventory rule ${id}`);

/**
 * Creates, replaces or deletes (if `document` is null) a rule, and records that in the audit log.
 * The rule's blocks change at once, and it is applied to the fleet in the background.
 *
 * @throws ApiError `not_found`, or `conflict` if another rule has the name
 */
export async function changeRule(
  context: Context,
  request: AdminRequest,
  id: string | null,
  document: InventoryRuleDocument | null,
): Promise<RuleWithCounts> {
  const { tenantId, email } = request.caller;
  const changed = await withAudit(context, request, async (tx, audit) => {
    await tx.lock(inventoryLock(tenantId));
    const before = id === null ? undefined : await findRule(tx.db, tenantId, id);
    if (id !== null && !before) throw noRule(id);
    const after = rowOf(context, email, before, document);
    if (document !== null && (await isNameTaken(tx.db, tenantId, after)))
      throw new ApiError(
        'already_exists',
        `name: an inventory rule "${after.name}" already exists`,
      );
    if (before) await updateRule(tx, tenantId, after);
    else await insertRule(tx, tenantId, after);
    if (before?.action === 'block') await bumpConfigVersion(tx, tenantId, { kind: 'fleet' });
    audit({
      action: `inventory_rule.${document === null ? 'delete' : before ? 'update' : 'create'}`,
      resource_type: 'inventory_rule',
      resource_id: after.id,
      before: before && z.encode(inventoryRule, ruleView(before)),
      after: document && z.encode(inventoryRule, ruleView({ open_incidents: 0, ...after })),
    });
    return { open_incidents: before?.open_incidents ?? 0, ...after };
  });
  context.storage.signals.publish({ tenant_id: tenantId, topic: 'inventory_rules' });
  context.storage.signals.publish({ tenant_id: tenantId, topic: 'guard' });
  return changed;
}

function rowOf(
  context: Context,
  updated_by: string,
  before: RuleWithCounts | undefined,
  document: InventoryRuleDocument | null,
): RuleRow {
  const now = context.now();
  const stamp = { evaluated_to: FIRST_POSITION, updated_at: now, updated_by };
  if (document === null) {
    const {
      open_incidents: _count,
      blocks_not_in_force: _blocks,
      changes_wait: _wait,
      ...row
    } = before as RuleWithCounts;
    return { ...row, ...stamp, deleted_at: now };
  }
  return {
    id: before?.id ?? context.newId('irl'),
    name: document.name,
    description: document.description,
    enabled: Number(document.enabled),
    condition: JSON.stringify(document.condition),
    scope: JSON.stringify(document.scope),
    action: document.action,
    deleted_at: null,
    created_at: before?.created_at ?? now,
    ...stamp,
  };
}
