import { type AppSettings, defaultAppSettings } from '#contract/app-settings.ts';
import type { Db } from '../storage/open.ts';

/** The tenant's settings, or the defaults. */
export async function appSettingsOf(db: Db, tenantId: string): Promise<AppSettings> {
  const row = await db
    .selectFrom('app_settings')
    .select(['contact', 'contact_address', 'newest_version'])
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst();
  return row ?? defaultAppSettings;
}

export async function putAppSettings(
  db: Db,
  tenantId: string,
  settings: AppSettings,
  stamp: { updated_at: number; updated_by: string },
): Promise<void> {
  const row = { ...settings, ...stamp };
  await db
    .insertInto('app_settings')
    .values({ tenant_id: tenantId, ...row })
    .onConflict((conflict) => conflict.column('tenant_id').doUpdateSet(row))
    .execute();
}
