import type { OfTenant } from './of-tenant.ts';

export interface EnrollmentTables {
  device_intermediates: DeviceIntermediateTable;
  enrollment_settings: EnrollmentSettingsTable;
}

/** Intermediate certificate authorities issued to devices. */
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

/** A tenant's settings; without a row, the defaults apply. */
interface EnrollmentSettingsTable extends OfTenant {
  require_approval: number;
  new_devices_per_hour: number;
  updated_at: number;
  updated_by: string;
}
