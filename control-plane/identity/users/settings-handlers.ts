import type { identityRoutes } from '#contract/identity.ts';
import { withAudit } from '../../audit/changing.ts';
import type { Handlers } from '../../http/handler.ts';
import { nameOf } from '../is-sub-user.ts';
import { findIdentitySettings, putIdentitySettings } from './user-queries.ts';

type Settings = Pick<typeof identityRoutes, 'getIdentitySettings' | 'putIdentitySettings'>;

export const identitySettingsHandlers: Handlers<Settings> = {
  getIdentitySettings: (context, { caller }) =>
    findIdentitySettings(context.storage.db, caller.tenantId),

  putIdentitySettings: (context, call) =>
    withAudit(context, call, async (trx, audit) => {
      const { caller, body } = call;
      const before = await findIdentitySettings(trx, caller.tenantId);
      await putIdentitySettings(trx, {
        tenant_id: caller.tenantId,
        ...body,
        updated_at: context.now(),
        updated_by: nameOf(caller),
      });
      await audit({
        action: 'identity_settings.update',
        resource_type: 'identity_settings',
        resource_id: caller.tenantId,
        before,
        after: body,
      });
      return body;
    }),
};
