import type { identityRoutes } from '#contract/identity.ts';
import { withAudit } from '../../audit/with-audit.ts';
import type { Handlers } from '../../handler.ts';
import { oidcStatus } from '../oidc/oidc-status.ts';
import { passwordLength } from '../password/password-rules.ts';
import { SESSION_SECONDS } from '../sessions/open-session.ts';
import { signInRateLimits } from '../sign-in/sign-in-rate-limits.ts';
import { displayNameOf } from '../is-sub-user.ts';
import { findIdentitySettings, putIdentitySettings } from './user-queries.ts';

type Settings = Pick<
  typeof identityRoutes,
  'getSignInSettings' | 'getIdentitySettings' | 'putIdentitySettings'
>;

export const identitySettingsHandlers: Handlers<Settings> = {
  async getSignInSettings(context, { caller }) {
    return {
      password: passwordLength,
      failures: signInRateLimits,
      session_seconds: SESSION_SECONDS,
      oidc: await oidcStatus(context, caller.tenantId),
    };
  },

  getIdentitySettings: (context, { caller }) =>
    findIdentitySettings(context.storage.db, caller.tenantId),

  putIdentitySettings: (context, request) =>
    withAudit(context, request, async (tx, audit) => {
      const { caller, body } = request;
      const before = await findIdentitySettings(tx.db, caller.tenantId);
      await putIdentitySettings(tx, {
        tenant_id: caller.tenantId,
        ...body,
        updated_at: context.now(),
        updated_by: displayNameOf(caller),
      });
      audit({
        action: 'identity_settings.update',
        resource_type: 'identity_settings',
        resource_id: caller.tenantId,
        before,
        after: body,
      });
      return body;
    }),
};
