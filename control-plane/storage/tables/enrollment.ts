import type { OfTenant } from './of-tenant.ts';
import type { Generated } from 'kysely';

export interface EnrollmentTables {
  device_intermediates: DeviceIntermediateTable;
  enrollment_settings: EnrollmentSettingsTable;
}

/** An intermediate certificate authority issued to a device. */
interface DeviceIntermediateTable extends OfTenant {
  device_id: string;
  serial: string;
  /** The root that signed it. */
  authority_id: string;
  /** JSON array of the hosts that it may issue certificates for. */
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

export interface RecordingKeyTables {
  recording_keys: RecordingKeyTable;
}

/** A key with which the coding agents of a device record. */
interface RecordingKeyTable extends OfTenant {
  id: string;
  device_id: string;
  /** SHA-256 of the key. */
  hash: string;
  created_at: number;
  expires_at: number;
}

export interface AuthorityTables {
  authorities: AuthorityTable;
}

interface AuthorityTable extends OfTenant {
  id: string;
  certificate: string;
  /** PKCS#8 PEM, encrypted with SECRET_KEY. */
  private_key: string;
  created_at: number;
  /**
   * `active` signs, and a tenant has exactly one. `next` is trusted but does not sign yet, and a
   * tenant has at most one. `previous` is still trusted but no longer signs, and `retired` is no
   * longer trusted.
   */
  state: Generated<'active' | 'next' | 'previous' | 'retired'>;
  /** The number of the latest revocation list. */
  crl_number: Generated<number>;
  /** The number of revocations, by which the holder of a CRL can tell whether it is current. */
  revocations: Generated<number>;
}
