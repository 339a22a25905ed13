import type { appSettingsRoutes } from '#contract/app-settings.ts';
import { withAudit } from '../audit/changing.ts';
import { nextConfigVersion } from '../guard/queries.ts';
import type { Handlers } from '../http/handler.ts';
import { nameOf } from '../identity/is-sub-user.ts';
import { appSettingsOf, putAppSettings } from './app-queries.ts';

export const appSettingsHandlers: Handlers<typeof appSettingsRoutes> = {
  getAppSettings: (context, { caller }) => appSettingsOf(context.storage.db, caller.tenantId),

  async putAppSettings(context, call) {
    const { caller, body } = call;
    const stamp = { updated_at: context.now(), updated_by: nameOf(caller) };
    await withAudit(context, call, async (trx, audit) => {
      // Part of the device configuration. Incrementing its version also serializes changes.
      await nextConfigVersion(trx, caller.tenantId);
      const before = await appSettingsOf(trx, caller.tenantId);
      await putAppSettings(trx, caller.tenantId, body, stamp);
      const of = { resource_type: 'settings', resource_id: 'app' };
      await audit({ action: 'settings.update', ...of, before, after: body });
    });
    context.storage.signals.publish({ tenant_id: caller.tenantId, topic: 'guard' });
    return body;
  },
};
