import { defaultEnrollmentSettings, type EnrollmentSettings } from '#contract/enrollment.ts';
import type { Db } from '../storage/open.ts';
import type { Tx } from '../storage/transaction.ts';

/** The tenant's settings, or the defaults. */
export async function enrollmentSettingsOf(db: Db, tenantId: string): Promise<EnrollmentSettings> {
  const row = await db
    .selectFrom('enrollment_settings')
    .select(['require_approval', 'new_devices_per_hour'])
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst();
  if (!row) return defaultEnrollmentSettings;
  return { ...row, require_approval: row.require_approval !== 0 };
}

export async function putEnrollmentSettings(
  tx: Tx,
  tenantId: string,
  settings: EnrollmentSettings,
  stamp: { updated_at: number; updated_by: string },
): Promise<void> {
  const row = { ...settings, require_approval: settings.require_approval ? 1 : 0, ...stamp };
  await tx.db
    .insertInto('enrollment_settings')
    .values({ tenant_id: tenantId, ...row })
    .onConflict((conflict) => conflict.column('tenant_id').doUpdateSet(row))
    .execute();
}
