import type { Generated } from 'kysely';
import type { AppKind } from '#contract/fleet.ts';
import type { ApprovalTables } from './tables/approvals.ts';
import type { AuditTables } from './tables/audit.ts';
import type { CaptureTables } from './tables/captures.ts';
import type { CostTables } from './tables/costs.ts';
import type { EnrollmentTables } from './tables/enrollment.ts';
import type { EnterpriseTables } from './tables/enterprise.ts';
import type { EventTables } from './tables/events.ts';
import type { GovernanceTables } from './tables/governance.ts';
import type { GuardTables } from './tables/guard.ts';
import type { IdentityTables } from './tables/identity.ts';
import type { InventoryTables } from './tables/inventory.ts';
import type { MemoryTables } from './tables/memory.ts';
import type { OfTenant } from './tables/of-tenant.ts';
import type { OtelTables } from './tables/otel.ts';
import type { PolicyVersionTables } from './tables/policy-versions.ts';
import type { PromptTables } from './tables/prompts.ts';
import type { RecordingTables } from './tables/recording.ts';
import type { SearchTables } from './tables/search.ts';
import type { SettingsTables } from './tables/settings.ts';
import type { UsageTables } from './tables/usage.ts';

/**
 * Columns carry the names of the wire. Times are integer milliseconds, JSON is text, booleans
 * are 0 or 1: neither database then needs a translation.
 */
export interface Tables
  extends
    ApprovalTables,
    AuditTables,
    CaptureTables,
    CostTables,
    EnrollmentTables,
    EnterpriseTables,
    EventTables,
    GovernanceTables,
    GuardTables,
    IdentityTables,
    InventoryTables,
    MemoryTables,
    OtelTables,
    PolicyVersionTables,
    PromptTables,
    RecordingTables,
    SearchTables,
    SettingsTables,
    UsageTables {
  authorities: AuthorityTable;
  api_keys: ApiKeyTable;
  devices: DeviceTable;
  device_identities: DeviceIdentityTable;
  device_batches: DeviceBatchTable;
  apps: AppTable;
  flows: FlowTable;
  observation_gaps: ObservationGapTable;
  guard_layers: GuardLayerTable;
}

interface ObservationGapTable extends OfTenant {
  device_id: string;
  reason: 'not_running' | 'dropped';
  started_at: number;
  ended_at: number;
}

interface AuthorityTable extends OfTenant {
  id: string;
  certificate: string;
  /** PKCS#8 PEM, encrypted with SECRET_KEY. */
  private_key: string;
  created_at: number;
  /**
   * `next` is trusted and signs nothing yet, `previous` is trusted and signs nothing any more, and
   * `retired` is trusted no longer. A tenant has one that is active, and at most one that is next.
   */
  state: Generated<'active' | 'next' | 'previous' | 'retired'>;
  /** Of the last revocation list that was made. */
  crl_number: Generated<number>;
  /** Counts revocations, so that a holder of a CRL can tell whether it is current. */
  revocations: Generated<number>;
}

interface ApiKeyTable extends OfTenant {
  id: string;
  name: string;
  hash: string;
  permissions: string;
  /** Hosts of the profile that this key was minted with; null for other keys. */
  profile_hosts: string | null;
  created_at: number;
  last_used_at: number | null;
  expires_at: number | null;
  revoked_at: number | null;
  /** The key that it was rotated to. */
  replaced_by: string | null;
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
  /** The key it enrolled with: its profile's hosts are the device's base layer. */
  api_key_id: string;
  enrolled_at: number;
  last_seen: number;
  /** When its channel last closed; null while it is open. */
  disconnected_at: number | null;
  applied_version: number;
  problems: string;
  /** JSON: programs that do not accept its certificates, as it last said. */
  certificate_refusals: Generated<string>;
  /** Reports that wait on the device, and that it gave up since it enrolled, as it last said. */
  queued: Generated<number>;
  dropped: Generated<number>;
  scanned_at: number | null;
  /** When its hardware id was first heard of. */
  registered_at: Generated<number>;
  /** The API key that it first came with. */
  registered_by: string | null;
  /** SHA-256 of the public key that it may have an identity for, as hexadecimal. */
  identity_key: string | null;
  /** The key of a pending enrollment for this device, until an admin decides. */
  waiting_key: string | null;
  waiting_since: number | null;
  /** JSON: the description of the device in that request. */
  waiting_as: string | null;
}

interface DeviceIdentityTable extends OfTenant {
  device_id: string;
  /** SHA-256 of the certificate: how the listener recognises the device. */
  fingerprint: string;
  serial: string;
  issued_at: number;
  expires_at: number;
  revoked_at: number | null;
  /** The root that signed it. */
  authority_id: string | null;
}

interface DeviceBatchTable extends OfTenant {
  device_id: string;
  batch_id: string;
  received_at: number;
}

interface AppTable extends OfTenant {
  id: string;
  device_id: string;
  group_id: string;
  kind: AppKind;
  name: string;
  catalog_id: string | null;
  version: string | null;
  path: string;
  user: string | null;
  confidence: number;
  evidence: string;
  risk_flags: string;
  first_seen: number;
  last_seen: number;
}

interface FlowTable extends OfTenant {
  device_id: string;
  id: string;
  app_id: string | null;
  process: string | null;
  path: string | null;
  pid: number | null;
  user: string | null;
  host: string | null;
  address: string;
  port: number;
  protocol: 'tcp' | 'udp';
  started_at: number;
  ended_at: number | null;
  bytes_in: number | null;
  bytes_out: number | null;
}

interface GuardLayerTable extends OfTenant {
  id: string;
  layer: 'global' | 'app_type' | 'user_group' | 'device' | 'agent';
  /** Empty for the global layer: a null would not be unique. */
  scope: string;
  config: string;
  version: number;
  updated_at: number;
  updated_by: string;
}
