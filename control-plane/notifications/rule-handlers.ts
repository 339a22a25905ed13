import { z } from 'zod';
import { ApiError } from '#contract/errors.ts';
import {
  notificationRule,
  type notificationRoutes,
  type RuleBody,
} from '#contract/notifications.ts';
import { withAudit } from '../audit/with-audit.ts';
import type { Handlers } from '../handler.ts';
import type { Db } from '../storage/open.ts';
import { notificationsLock } from '../storage/locks.ts';
import { listChannels } from './channel-queries.ts';
import {
  deleteRule,
  findRule,
  insertRule,
  listRules,
  type Rule,
  updateRule,
} from './rule-queries.ts';

const MAX_RULES = 50;

type RuleRoutes = Pick<
  typeof notificationRoutes,
  | 'listNotificationRules'
  | 'createNotificationRule'
  | 'replaceNotificationRule'
  | 'deleteNotificationRule'
>;

export const ruleHandlers: Handlers<RuleRoutes> = {
  async listNotificationRules({ storage: { db } }, { caller }) {
    return { results: await listRules(db, caller.tenantId) };
  },

  createNotificationRule: (context, request) =>
    withAudit(context, request, async (tx, audit) => {
      const { tenantId } = request.caller;
      await tx.lock(notificationsLock(tenantId));
      const all = await listRules(tx.db, tenantId);
      if (all.length >= MAX_RULES)
        throw new ApiError(
          'count_limit_reached',
          `a tenant can have at most ${MAX_RULES} notification rules: delete one`,
        );
      const now = context.now();
      const id = context.newId('nru');
      const rule: Rule = {
        tenant_id: tenantId,
        id,
        ...columns(request.body),
        created_at: now,
        updated_at: now,
      };
      refuseTakenName(all, rule);
      await requireChannels(tx.db, tenantId, request.body.channel_ids);
      await insertRule(tx, rule);
      audit({ ...changeOf('create', id), after: z.encode(notificationRule, rule) });
      return rule;
    }),

  replaceNotificationRule: (context, request) =>
    withAudit(context, request, async (tx, audit) => {
      const { tenantId } = request.caller;
      await tx.lock(notificationsLock(tenantId));
      const before = await requireRule(tx.db, tenantId, request.params.id);
      const after: Rule = { ...before, ...columns(request.body), updated_at: context.now() };
      refuseTakenName(await listRules(tx.db, tenantId), after);
      await requireChannels(tx.db, tenantId, request.body.channel_ids);
      await updateRule(tx, after);
      audit({
        ...changeOf('update', after.id),
        before: z.encode(notificationRule, before),
        after: z.encode(notificationRule, after),
      });
      return after;
    }),

  deleteNotificationRule: (context, request) =>
    withAudit(context, request, async (tx, audit) => {
      const { tenantId } = request.caller;
      await tx.lock(notificationsLock(tenantId));
      const before = await requireRule(tx.db, tenantId, request.params.id);
      await deleteRule(tx, tenantId, before.id);
      audit({ ...changeOf('delete', before.id), before: z.encode(notificationRule, before) });
      return undefined;
    }),
};

const changeOf = (action: string, id: string) => ({
  action: `notification_rule.${action}`,
  resource_type: 'notification_rule',
  resource_id: id,
});

const columns = (body: RuleBody) => ({
  ...body,
  events: JSON.stringify([...new Set(body.events)]),
  policy_ids: JSON.stringify(body.policy_ids),
  agents: JSON.stringify(body.agents),
  channel_ids: JSON.stringify([...new Set(body.channel_ids)]),
  quiet_hours: JSON.stringify(body.quiet_hours),
});

async function requireRule(db: Db, tenantId: string, id: string): Promise<Rule> {
  const rule = await findRule(db, tenantId, id);
  if (!rule) throw new ApiError('not_found', `there is no notification rule ${id}`);
  return rule;
}

async function requireChannels(db: Db, tenantId: string, ids: readonly string[]): Promise<void> {
  const known = new Set((await listChannels(db, tenantId)).map(({ id }) => id));
  const unknown = ids.find((id) => !known.has(id));
  if (unknown !== undefined)
    throw new ApiError('not_found', `channel_ids: there is no channel ${unknown}`);
}

function refuseTakenName(all: readonly Rule[], { id, name }: Rule): void {
  if (all.some((one) => one.name === name && one.id !== id))
    throw new ApiError(
      'already_exists',
      `there is another notification rule with the name ${name}`,
    );
}
