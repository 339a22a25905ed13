import type { OfTenant } from './of-tenant.ts';

/** What a tenant has set; without a row all is as by default. */
export interface SettingsTables {
  tenant_settings: TenantSettingsTable;
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
