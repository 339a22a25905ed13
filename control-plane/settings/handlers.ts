import { redactJson } from '#domain/redaction/redact-json.ts';
import { settingsLock } from '../storage/locks.ts';
import type { RecordingSettings, settingsRoutes } from '#contract/settings.ts';
import { withAudit } from '../audit/with-audit.ts';
import type { Handlers } from '../handler.ts';
import { displayNameOf } from '../identity/is-sub-user.ts';
import { checkPatterns, redactionRules } from './masking/masker.ts';
import { bumpConfigVersion } from '../tenants/config-version.ts';
import {
  ownRulesIn,
  putRecordingSettings,
  recordingSettingsOf,
  appSettingsOf,
  putAppSettings,
} from './queries.ts';
import type { appSettingsRoutes } from '#contract/app-settings.ts';

export const settingsHandlers: Handlers<typeof settingsRoutes> = {
  getRecordingSettings: (context, { caller }) =>
    recordingSettingsOf(context.storage.db, caller.tenantId),

  async putRecordingSettings(context, request) {
    const { caller, body } = request;
    checkPatterns(body.masking);
    const stamp = { updated_at: context.now(), updated_by: displayNameOf(caller) };
    const { settings, isOfDevices } = await withAudit(context, request, async (tx, audit) => {
      // The lock serializes changes, so that devices end up with the rules of the latest version.
      await tx.lock(settingsLock(caller.tenantId));
      const before = await recordingSettingsOf(tx.db, caller.tenantId);
      const { capture_retention_days = before.capture_retention_days } = body;
      const after = { ...body, capture_retention_days };
      const isOfDevices = haveOtherRules(before, after);
      if (isOfDevices) await bumpConfigVersion(tx, caller.tenantId, { kind: 'fleet' });
      await putRecordingSettings(tx, caller.tenantId, after, stamp);
      audit({
        action: 'settings.update',
        resource_type: 'settings',
        resource_id: 'recording',
        before,
        after,
      });
      return { settings: after, isOfDevices };
    });
    const publish = (topic: 'settings' | 'guard'): void =>
      context.storage.signals.publish({ tenant_id: caller.tenantId, topic });
    publish('settings');
    if (isOfDevices) publish('guard');
    return settings;
  },

  tryMasking(_context, { body }) {
    checkPatterns(body.masking);
    const { value, counts } = redactJson(body.sample, redactionRules(body.masking));
    return { masked: value, counts };
  },
};

const haveOtherRules = (before: RecordingSettings, after: RecordingSettings): boolean =>
  JSON.stringify(ownRulesIn(before.masking)) !== JSON.stringify(ownRulesIn(after.masking));

export const appSettingsHandlers: Handlers<typeof appSettingsRoutes> = {
  getAppSettings: (context, { caller }) => appSettingsOf(context.storage.db, caller.tenantId),

  async putAppSettings(context, request) {
    const { caller, body } = request;
    const stamp = { updated_at: context.now(), updated_by: displayNameOf(caller) };
    await withAudit(context, request, async (tx, audit) => {
      // This setting is part of the device configuration. Incrementing its version also serializes
      // changes.
      await bumpConfigVersion(tx, caller.tenantId, { kind: 'fleet' });
      const before = await appSettingsOf(tx.db, caller.tenantId);
      await putAppSettings(tx, caller.tenantId, body, stamp);
      const of = { resource_type: 'settings', resource_id: 'app' };
      audit({ action: 'settings.update', ...of, before, after: body });
    });
    context.storage.signals.publish({ tenant_id: caller.tenantId, topic: 'guard' });
    return body;
  },
};
