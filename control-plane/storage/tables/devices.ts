import type { Generated } from 'kysely';
import type { OfTenant } from './of-tenant.ts';

export interface DeviceTables {
  devices: DeviceTable;
  device_identities: DeviceIdentityTable;
}

interface DeviceTable extends OfTenant {
  id: string;
  hardware_id: string;
  hostname: string;
  os: string;
  os_version: string;
  agent_version: string;
  user: string;
  user_group: string | null;
  status: 'pending' | 'active' | 'revoked';
  /** The key it enrolled with. The hosts of that key's profile are the device's base layer. */
  api_key_id: string;
  enrolled_at: number;
  last_seen: number;
  /** When its channel last closed; null while it is open. */
  disconnected_at: number | null;
  applied_version: number;
  /** The version of the last change that concerned this device in particular. */
  target_version: Generated<number>;
  problems: string;
  /** JSON of the programs that do not accept its certificates, as last reported. */
  certificate_refusals: Generated<string>;
  /** Reports queued on the device, and reports dropped since it enrolled, as last reported. */
  queued: Generated<number>;
  dropped: Generated<number>;
  scanned_at: number | null;
  /** The number of apps in the latest scan; `risk_flags` is a JSON array of their risks. */
  present_apps: Generated<number>;
  risk_flags: Generated<string>;
  /** When its hardware id was first reported. */
  registered_at: Generated<number>;
  /** The API key with which it was first reported. */
  registered_by: string | null;
  /** SHA-256 of the public key for which it may hold an identity, as hexadecimal. */
  identity_key: string | null;
  /** The key of a pending enrollment for this device, until an admin decides. */
  pending_key: string | null;
  pending_since: number | null;
  /** JSON: the description of the device in that request. */
  pending_request: string | null;
}

interface DeviceIdentityTable extends OfTenant {
  device_id: string;
  /** SHA-256 of the certificate, by which the listener recognises the device. */
  fingerprint: string;
  serial: string;
  issued_at: number;
  expires_at: number;
  revoked_at: number | null;
  /** The root that signed it. */
  authority_id: string | null;
}
