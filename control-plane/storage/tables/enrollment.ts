import type { OfTenant } from './of-tenant.ts';

export interface EnrollmentTables {
  device_intermediates: DeviceIntermediateTable;
  enrollment_settings: EnrollmentSettingsTable;
}

/** The certificate authorities that were issued to devices. */
interface DeviceIntermediateTable extends OfTenant {
  device_id: string;
  serial: string;
  /** The root that signed it. */
  authority_id: string;
  /** JSON: the hosts that it may issue for. */
  hosts: string;
  issued_at: number;
  expires_at: number;
  revoked_at: number | null;
}

/** What a tenant has set; without a row all is as by default. */
interface EnrollmentSettingsTable extends OfTenant {
  require_approval: number;
  new_devices_per_hour: number;
  updated_at: number;
  updated_by: string;
}
