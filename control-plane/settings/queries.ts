import {
  defaultRecordingSettings,
  type Masking,
  type OwnRules,
  type RecordingSettings,
} from '#contract/settings.ts';
import type { Db } from '../storage/open.ts';
import type { Tx } from '../storage/transaction.ts';
import { type AppSettings, defaultAppSettings } from '#contract/app-settings.ts';

/** Returns the tenant's settings, or the defaults. */
export async function recordingSettingsOf(db: Db, tenantId: string): Promise<RecordingSettings> {
  const row = await db
    .selectFrom('tenant_settings')
    .select(['retention_days', 'capture_retention_days', 'masking'])
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst();
  if (!row) return defaultRecordingSettings;
  return { ...row, masking: JSON.parse(row.masking) as Masking };
}

/**
 * Returns the tenant's own masking rules, which devices apply in addition to all built-in types;
 * none if masking is off.
 */
export const ownRulesIn = ({ enabled, keys, patterns }: Masking): OwnRules =>
  enabled ? { keys, patterns } : { keys: [], patterns: [] };

export const ownRulesOf = async (db: Db, tenantId: string): Promise<OwnRules> =>
  ownRulesIn((await recordingSettingsOf(db, tenantId)).masking);

export async function putRecordingSettings(
  tx: Tx,
  tenantId: string,
  settings: RecordingSettings,
  stamp: { updated_at: number; updated_by: string },
): Promise<void> {
  const row = {
    retention_days: settings.retention_days,
    capture_retention_days: settings.capture_retention_days,
    masking: JSON.stringify(settings.masking),
    ...stamp,
  };
  await tx.db
    .insertInto('tenant_settings')
    .values({ tenant_id: tenantId, ...row })
    .onConflict((conflict) => conflict.column('tenant_id').doUpdateSet(row))
    .execute();
}

/** Returns the tenant's settings, or the defaults. */
export async function appSettingsOf(db: Db, tenantId: string): Promise<AppSettings> {
  const row = await db
    .selectFrom('app_settings')
    .select(['contact', 'contact_address', 'newest_version'])
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst();
  return row ?? defaultAppSettings;
}

export async function putAppSettings(
  tx: Tx,
  tenantId: string,
  settings: AppSettings,
  stamp: { updated_at: number; updated_by: string },
): Promise<void> {
  const row = { ...settings, ...stamp };
  await tx.db
    .insertInto('app_settings')
    .values({ tenant_id: tenantId, ...row })
    .onConflict((conflict) => conflict.column('tenant_id').doUpdateSet(row))
    .execute();
}
