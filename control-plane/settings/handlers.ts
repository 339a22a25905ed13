import { redactJson } from '#agent/core/redaction/redact-json.ts';
import type { settingsRoutes } from '#contract/settings.ts';
import type { Handlers } from '../http/call.ts';
import { checkPatterns } from '../masking/check-patterns.ts';
import { redactionRules } from '../masking/masker.ts';
import { putRecordingSettings, recordingSettingsOf } from './queries.ts';

export const settingsHandlers: Handlers<typeof settingsRoutes> = {
  getRecordingSettings: (context, { caller }) =>
    recordingSettingsOf(context.storage.db, caller.tenantId),

  async putRecordingSettings(context, { caller, body }) {
    checkPatterns(body.masking);
    const { db, signals } = context.storage;
    const stamp = { updated_at: context.now(), updated_by: caller.email };
    await putRecordingSettings(db, caller.tenantId, body, stamp);
    signals.publish({ tenant_id: caller.tenantId, topic: 'settings' });
    return body;
  },

  tryMasking(_context, { body }) {
    checkPatterns(body.masking);
    const { value, counts } = redactJson(body.sample, redactionRules(body.masking));
    return { masked: value, counts };
  },
};
