import type { Storage } from '../storage/open.ts';
import { tenantCache } from '../storage/tenant-cache.ts';
import { categoryOf } from './categories/index.ts';
import { listPolicies } from './engine/engine-queries.ts';
import { type Policy, type PolicySet, policySet } from './policy-set.ts';
import type { Scope } from './scope.ts';

export type PoliciesOf = (tenantId: string) => Promise<PolicySet>;

/** Creates a cache of the policies of tenants. Entries last until the policies change. */
export const createPolicyCache = (
  storage: Storage,
  onProblem: (line: string) => void,
): PoliciesOf =>
  tenantCache(storage.signals, 'policies', async (tenantId) => {
    const rows = await listPolicies(storage.db, tenantId);
    return policySet(rows.flatMap((row) => parsed(row, onProblem)));
  });

type Row = Awaited<ReturnType<typeof listPolicies>>[number];

/**
 * Parses a row. A policy whose category or rules this version does not support is skipped and
 * reported.
 */
function parsed(row: Row, onProblem: (line: string) => void): Policy[] {
  const { id, name, priority } = row;
  const category = categoryOf(row.category);
  const rules = category?.rules.safeParse(JSON.parse(row.rules));
  if (!category || !rules?.success) {
    onProblem(
      `policy ${id} is not enforced: its ${category ? 'rules are' : 'category is'} unknown`,
    );
    return [];
  }
  const scope = JSON.parse(row.scope) as Scope;
  const { severity, mode } = row;
  const enabled = row.enabled === 1;
  return [{ id, name, category, rules: rules.data, scope, priority, enabled, severity, mode }];
}
