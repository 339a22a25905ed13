import type { OfTenant } from './of-tenant.ts';

/** A tenant's settings; without a row, the defaults apply. */
export interface SettingsTables {
  tenant_settings: TenantSettingsTable;
  app_settings: AppSettingsTable;
}

interface TenantSettingsTable extends OfTenant {
  /** Null if recordings are kept indefinitely. */
  retention_days: number | null;
  /** Null if captures are kept as long as everything else. */
  capture_retention_days: number | null;
  masking: string;
  updated_at: number;
  updated_by: string;
}

/** Content that the app shows to users of devices. */
interface AppSettingsTable extends OfTenant {
  contact: string | null;
  contact_address: string | null;
  newest_version: string | null;
  updated_at: number;
  updated_by: string;
}
