import { z } from 'zod';
import { approval } from '#contract/approvals.ts';
import { ApiError } from '#contract/errors.ts';
import type { decisionRequest, notificationRoutes } from '#contract/notifications.ts';
import { getApproval, storeDecision } from '../approvals/decision-queries.ts';
import type { Approval } from '../approvals/queries.ts';
import { type Actor, writeAudit } from '../audit/with-audit.ts';
import type { Context } from '../context.ts';
import type { Handlers } from '../handler.ts';
import { findUserOfTenant } from '../identity/users/user-queries.ts';
import type { Db } from '../storage/open.ts';
import { authorize } from '../tenants/authorize.ts';
import { type Channel, findChannel } from './channel-queries.ts';
import { type DecisionGrant, readDecisionToken } from './decision-link.ts';
import { deciderName, mayDecideByLink } from './decision-rules.ts';
import { findRule } from './rule-queries.ts';

type DecisionRoutes = Pick<typeof notificationRoutes, 'readDecisionLink' | 'decideByLink'>;

export const decisionHandlers: Handlers<DecisionRoutes> = {
  async readDecisionLink(context, { body }) {
    const { db } = context.storage;
    const grant = await grantOf(context, body.token);
    return shown(await admit(context, db, grant));
  },

  async decideByLink(context, { body, address: ip }) {
    const grant = await grantOf(context, body.token);
    return context.storage.transaction(async (tx) => {
      const admitted = await admit(context, tx.db, grant);
      const { request: before, channel, decidedBy } = admitted;
      const after = await storeDecision(tx, before, {
        status: body.decision,
        decided_at: context.now(),
        decided_by: decidedBy,
        note: body.note,
      });
      if (!after) throw alreadyDecided(await admit(context, tx.db, grant));
      const actor = { ...(await actorOf(tx.db, grant)), ip };
      await writeAudit(tx, context, grant.tenant, actor, {
        action: body.decision === 'approved' ? 'approval.approve' : 'approval.deny',
        resource_type: 'approval',
        resource_id: after.id,
        before: z.encode(approval, before),
        after: z.encode(approval, after),
        metadata: {
          via: 'notification link',
          channel_id: channel.id,
          channel: channel.name,
          recipient: grant.recipient,
          rule_id: grant.rule,
        },
      });
      return shown({ ...admitted, request: after });
    });
  },
};

const INVALID = 'this link is invalid or has expired: decide in the console instead';

/**
 * Reads the grant of a link.
 *
 * @throws ApiError `invalid_link`, `tenant_suspended`
 */
async function grantOf(context: Context, token: string): Promise<DecisionGrant> {
  const grant = readDecisionToken(context.secrets.decisionLinkKey, token, context.now());
  if (!grant) throw new ApiError('invalid_link', INVALID);
  const credential = { tenantId: grant.tenant, callerOf: () => grant };
  return authorize(context, credential, { auth: 'none' });
}

interface Admitted {
  request: Approval;
  channel: Channel;
  decidedBy: string;
}

/**
 * Checks that the conditions of the link still hold: the rule has links, its channel still has the
 * receiver, and the receiver may decide.
 *
 * @throws ApiError `invalid_link`
 */
async function admit(context: Context, db: Db, grant: DecisionGrant): Promise<Admitted> {
  const { tenant, recipient } = grant;
  const rule = await findRule(db, tenant, grant.rule);
  const channel = await findChannel(db, tenant, grant.channel);
  const request = await getApproval(db, tenant, grant.approval, context.now());
  const isWithdrawn =
    rule?.enabled !== 1 ||
    rule.decide_by_link !== 1 ||
    !channel ||
    !(JSON.parse(rule.channel_ids) as string[]).includes(channel.id) ||
    (channel.kind === 'email' && !(JSON.parse(channel.recipients) as string[]).includes(recipient));
  if (isWithdrawn || !request)
    throw new ApiError('invalid_link', 'this link was withdrawn: decide in the console instead');
  const receiver = { ...channel, recipient };
  if (!mayDecideByLink(receiver, JSON.parse(request.approvers) as string[]))
    throw new ApiError('invalid_link', 'you are not an approver of this request');
  return { request, channel, decidedBy: deciderName(receiver) };
}

/** Returns who decides. A recipient who is a user is recorded as that user. */
async function actorOf(db: Db, grant: DecisionGrant): Promise<Omit<Actor, 'ip'>> {
  const user = grant.recipient && (await findUserOfTenant(db, grant.tenant, grant.recipient));
  return user
    ? { actor_type: 'user', actor_id: user.id }
    : { actor_type: 'system', actor_id: grant.channel };
}

const shown = ({ request, decidedBy }: Admitted): z.output<typeof decisionRequest> => ({
  ...request,
  approval_id: request.id,
  deciding_as: decidedBy,
});

const alreadyDecided = ({ request: { id, status, decided_by } }: Admitted): ApiError =>
  new ApiError(
    'invalid_state',
    decided_by === null
      ? `approval ${id} has expired`
      : `approval ${id} was already ${status} by ${decided_by}`,
  );
