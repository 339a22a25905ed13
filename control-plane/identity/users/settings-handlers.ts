import type { identityRoutes } from '#contract/identity.ts';
import { changing } from '../../audit/changing.ts';
import type { Handlers } from '../../http/call.ts';
import { findIdentitySettings, putIdentitySettings } from './queries.ts';

type Settings = Pick<typeof identityRoutes, 'getIdentitySettings' | 'putIdentitySettings'>;

export const identitySettingsHandlers: Handlers<Settings> = {
  getIdentitySettings: (context, { caller }) =>
    findIdentitySettings(context.storage.db, caller.tenantId),

  putIdentitySettings: (context, call) =>
    changing(context, call, async (trx, audit) => {
      const { caller, body } = call;
      const before = await findIdentitySettings(trx, caller.tenantId);
      await putIdentitySettings(trx, {
        tenant_id: caller.tenantId,
        ...body,
        updated_at: context.now(),
        updated_by: 'userId' in caller ? caller.email : caller.keyId,
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
