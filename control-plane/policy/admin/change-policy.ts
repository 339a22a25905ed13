import { z } from 'zod';
import { ApiError } from '#contract/errors.ts';
import { type PolicyDocument, policyRecord, type PolicyRecord } from '#contract/policy.ts';
import { withAudit } from '../../audit/changing.ts';
import type { Context } from '../../context.ts';
import type { KeyCaller, SessionCaller } from '../../http/caller.ts';
import type { Trx } from '../../storage/open.ts';
import type { PolicyVersionTable } from '../../storage/tables/policy-versions.ts';
import {
  deletePolicy,
  findPolicy,
  insertVersion,
  latestVersion,
  putPolicy,
} from './policy-queries.ts';
import { documentOf, isSame } from './policy-rules.ts';

interface AdminCall {
  caller: KeyCaller | SessionCaller;
  address: string;
}

interface PolicyChange {
  id: string;
  change: PolicyVersionTable['change'];
  note: string;
}

/** What is to be from now on, by what was before; null for nothing. @throws ApiError */
type Decide = (
  before: PolicyRecord | undefined,
  trx: Trx,
) => PolicyDocument | null | Promise<PolicyDocument | null>;

/**
 * Changes one policy: the policy, its version and the entry in the audit log are there together or
 * not at all. What would change nothing is not a change. Answers the policy since.
 *
 * @throws ApiError where `decide` does, or when another policy has the name
 */
export async function changePolicy(
  context: Context,
  call: AdminCall,
  what: PolicyChange,
  decide: Decide,
): Promise<PolicyRecord | null> {
  const { storage } = context;
  const { tenantId } = call.caller;
  const key = { tenant_id: tenantId, policy_id: what.id };
  let wanted: PolicyDocument | null = null;
  const changed = withAudit(context, call, async (trx, audit) => {
    // Versions are numbered one after the other: changes of one policy wait for each other.
    await storage.lock(trx, `policy ${tenantId} ${what.id}`);
    const before = await findPolicy(trx, key);
    wanted = await decide(before, trx);
    if (before && wanted && isSame(documentOf(before), wanted)) return before;
    const version = (await latestVersion(trx, key)) + 1;
    const after = wanted && recordOf(wanted, before, { id: what.id, version, now: context.now() });
    if (after) await putPolicy(trx, tenantId, after);
    else await deletePolicy(trx, key);
    await insertVersion(trx, versionOf(context, call, { ...what, version, before, after }));
    await audit({
      action: `policy.${what.change}`,
      resource_type: 'policy',
      resource_id: what.id,
      ...(before && { before: policyView(before) }),
      ...(after && { after: policyView(after) }),
      metadata: { version, ...(what.note && { note: what.note }) },
    });
    return after;
  });
  const after = await changed.catch((error: unknown) => {
    throw storage.isUnique(error) && wanted ? nameTaken(wanted.name) : error;
  });
  storage.signals.publish({ tenant_id: tenantId, topic: 'policies' });
  return after;
}

function recordOf(
  { rules, scope, enabled, ...document }: PolicyDocument,
  before: PolicyRecord | undefined,
  { id, version, now }: { id: string; version: number; now: number },
): PolicyRecord {
  return {
    id,
    ...document,
    rules: JSON.stringify(rules),
    scope: JSON.stringify(scope),
    enabled: enabled ? 1 : 0,
    version,
    created_at: before?.created_at ?? now,
    updated_at: now,
  };
}

interface Step extends PolicyChange {
  version: number;
  before: PolicyRecord | undefined;
  after: PolicyRecord | null;
}

function versionOf(
  context: Context,
  { caller }: AdminCall,
  { id, change, note, version, before, after }: Step,
): PolicyVersionTable {
  const isUser = 'userId' in caller;
  return {
    tenant_id: caller.tenantId,
    policy_id: id,
    version,
    change,
    name: (after ?? before)?.name ?? '',
    actor_type: isUser ? 'user' : 'agent',
    actor_id: isUser ? caller.userId : caller.keyId,
    note,
    before: before ? JSON.stringify(policyView(before)) : null,
    after: after ? JSON.stringify(policyView(after)) : null,
    created_at: context.now(),
  };
}

/** As the API shows it. */
const policyView = (record: PolicyRecord) => z.encode(policyRecord, record);

const nameTaken = (name: string): ApiError =>
  new ApiError('conflict', `there already is a policy named ${JSON.stringify(name)}`);
