import { z } from 'zod';
import { ApiError } from '#contract/errors.ts';
import { type PolicyDocument, policyRecord, type PolicyRecord } from '#contract/policy-document.ts';
import { withAudit } from '../audit/with-audit.ts';
import type { Context } from '../context.ts';
import type { KeyCaller, SessionCaller } from '../http/caller.ts';
import { policyLock } from '../storage/locks.ts';
import type { Db } from '../storage/open.ts';
import type { PolicyVersionTable } from '../storage/tables/governance.ts';
import { deletePolicy, findPolicy, insertVersion, latestVersion, putPolicy } from './queries.ts';
import { documentOf, isSameDocument } from './document-rules.ts';

interface AdminRequest {
  caller: KeyCaller | SessionCaller;
  address: string;
}

interface PolicyChange {
  id: string;
  change: PolicyVersionTable['change'];
  note: string;
}

/**
 * Computes the new document from the stored policy; null deletes the policy.
 *
 * @throws ApiError
 */
type Decide = (
  before: PolicyRecord | undefined,
  db: Db,
) => PolicyDocument | null | Promise<PolicyDocument | null>;

/**
 * Changes one policy. The policy, its new version and the audit entry are written in one
 * transaction. A change without effect is not written. Returns the policy after the change.
 *
 * @throws ApiError from `decide`, or `conflict` if another policy has the name
 */
export async function changePolicy(
  context: Context,
  request: AdminRequest,
  target: PolicyChange,
  decide: Decide,
): Promise<PolicyRecord | null> {
  const { storage } = context;
  const { tenantId } = request.caller;
  const key = { tenant_id: tenantId, policy_id: target.id };
  let next: PolicyDocument | null = null;
  const changed = withAudit(context, request, async (tx, audit) => {
    // Version numbers are consecutive, so concurrent changes of one policy are serialized.
    await tx.lock(policyLock(tenantId, target.id));
    const before = await findPolicy(tx.db, key);
    next = await decide(before, tx.db);
    if (before && next && isSameDocument(documentOf(before), next)) return before;
    const version = (await latestVersion(tx.db, key)) + 1;
    const after = next && recordOf(next, before, { id: target.id, version, now: context.now() });
    if (after) await putPolicy(tx, tenantId, after);
    else await deletePolicy(tx, key);
    await insertVersion(tx, versionOf(context, request, { ...target, version, before, after }));
    audit({
      action: `policy.${target.change}`,
      resource_type: 'policy',
      resource_id: target.id,
      ...(before && { before: policyView(before) }),
      ...(after && { after: policyView(after) }),
      metadata: { version, ...(target.note && { note: target.note }) },
    });
    return after;
  });
  const after = await changed.catch((error: unknown) => {
    throw storage.isUnique(error) && next ? nameTaken(next.name) : error;
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
  { caller }: AdminRequest,
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

/** Returns the policy in the form of the API. */
const policyView = (record: PolicyRecord) => z.encode(policyRecord, record);

const nameTaken = (name: string): ApiError =>
  new ApiError('already_exists', `a policy already has the name ${JSON.stringify(name)}`);
