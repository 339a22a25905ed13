import type { OfTenant } from './of-tenant.ts';

/** What a tenant has set; without a row all is as by default. */
export interface SettingsTables {
  tenant_settings: TenantSettingsTable;
  app_settings: AppSettingsTable;
}

interface TenantSettingsTable extends OfTenant {
  /** Null: what is recorded stays. */
  retention_days: number | null;
  /** Null: captured exchanges are kept as long as all else. */
  capture_retention_days: number | null;
  masking: string;
  updated_at: number;
  updated_by: string;
}

/** What the app on devices tells its people. */
interface AppSettingsTable extends OfTenant {
  contact: string | null;
  contact_address: string | null;
  newest_version: string | null;
  updated_at: number;
  updated_by: string;
}
