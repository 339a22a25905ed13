import type { subUserRoutes } from '#contract/sub-users.ts';
import { withAudit } from '../audit/with-audit.ts';
import type { Handlers } from '../handler.ts';
import { refuseExcessGrant } from '../identity/refuse-excess-grant.ts';
import { isPermission, isRole } from '../identity/permission-rules.ts';
import { insertSubUserSession, revokeSubUserSessions } from './queries.ts';
import { findSubUser } from './sub-user-permissions.ts';
import { signSubUserToken } from './token.ts';
import { DAY_MS } from '#lib/time-units.ts';

export const subUserHandlers: Handlers<typeof subUserRoutes> = {
  async issueSubUserToken(context, request) {
    const { caller, body } = request;
    const valid = {
      roles: body.roles.filter(isRole),
      permissions: body.permissions.filter(isPermission),
    };
    const issuer = await refuseExcessGrant(context.storage.db, context, caller, valid);
    const now = context.now();
    const session = {
      tenant_id: caller.tenantId,
      id: context.newId('sus'),
      sub_user_id: body.sub_user_id,
      email: body.email ?? null,
      display_name: body.display_name ?? null,
      roles: JSON.stringify(body.roles),
      permissions: JSON.stringify(body.permissions),
      known_roles: JSON.stringify(valid.roles),
      known_permissions: JSON.stringify(valid.permissions),
      issued_by: 'userId' in caller ? caller.userId : caller.keyId,
      created_at: now,
      expires_at: Math.min(now + body.expires_in * 1000, issuer.until),
      revoked_at: null,
    };
    const token = signSubUserToken(context.secrets, {
      tenantId: caller.tenantId,
      sessionId: session.id,
      subUserId: session.sub_user_id,
      roles: body.roles,
      permissions: body.permissions,
      issuedAt: now,
      expiresAt: session.expires_at,
    });
    await withAudit(context, request, async (tx, audit) => {
      await insertSubUserSession(tx, session, now - DAY_MS);
      const { expires_in, ...after } = body;
      audit({
        action: 'sub_user.issue_token',
        resource_type: 'sub_user',
        resource_id: body.sub_user_id,
        after,
        metadata: { session_id: session.id, expires_in },
      });
    });
    return { token, session_id: session.id, expires_at: session.expires_at };
  },

  async validateSubUserToken(context, { caller: { tenantId }, body }) {
    const { invalidTokens } = context.rateLimits;
    const now = context.now();
    invalidTokens.refuseTooMany(tenantId, now);
    const subUser = await findSubUser(context, body.token);
    if (subUser?.tenantId !== tenantId) {
      invalidTokens.count(tenantId, now);
      return { valid: false as const };
    }
    return {
      valid: true as const,
      tenant_id: subUser.tenantId,
      session_id: subUser.sessionId,
      sub_user_id: subUser.subUserId,
      email: subUser.email,
      display_name: subUser.displayName,
      roles: subUser.roles,
      permissions: subUser.permissions,
      issued_at: subUser.issuedAt,
      expires_at: subUser.expiresAt,
    };
  },

  async revokeSubUser(context, request) {
    const { caller, params } = request;
    const revoked = await withAudit(context, request, async (tx, audit) => {
      const ended = await revokeSubUserSessions(
        tx,
        caller.tenantId,
        params.sub_user_id,
        context.now(),
      );
      audit({
        action: 'sub_user.revoke',
        resource_type: 'sub_user',
        resource_id: params.sub_user_id,
        metadata: { revoked: ended },
      });
      return ended;
    });
    return { revoked };
  },
};
