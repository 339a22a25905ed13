import { redactJson } from '#agent/core/redaction/redact-json.ts';
import type { RecordingSettings, settingsRoutes } from '#contract/settings.ts';
import { withAudit } from '../audit/changing.ts';
import type { Handlers } from '../http/handler.ts';
import { nameOf } from '../identity/is-sub-user.ts';
import { checkPatterns } from '../masking/check-patterns.ts';
import { redactionRules } from '../masking/masker.ts';
import { nextConfigVersion } from '../guard/queries.ts';
import { ownRulesIn, putRecordingSettings, recordingSettingsOf } from './queries.ts';

export const settingsHandlers: Handlers<typeof settingsRoutes> = {
  getRecordingSettings: (context, { caller }) =>
    recordingSettingsOf(context.storage.db, caller.tenantId),

  async putRecordingSettings(context, call) {
    const { caller, body } = call;
    checkPatterns(body.masking);
    const stamp = { updated_at: context.now(), updated_by: nameOf(caller) };
    const { settings, isOfDevices } = await withAudit(context, call, async (trx, audit) => {
      // Serializes changes, so that devices end up with the rules of the latest version.
      await context.storage.lock(trx, `settings ${caller.tenantId}`);
      const before = await recordingSettingsOf(trx, caller.tenantId);
      const { capture_retention_days = before.capture_retention_days } = body;
      const after = { ...body, capture_retention_days };
      const isOfDevices = haveOtherRules(before, after);
      if (isOfDevices) await nextConfigVersion(trx, caller.tenantId);
      await putRecordingSettings(trx, caller.tenantId, after, stamp);
      await audit({
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
