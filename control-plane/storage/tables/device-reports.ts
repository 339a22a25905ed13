import type { AppKind } from '#contract/inventory.ts';
import type { OfTenant } from './of-tenant.ts';

export interface DeviceReportTables {
  device_batches: DeviceBatchTable;
  apps: AppTable;
  flows: FlowTable;
  observation_gaps: ObservationGapTable;
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

interface ObservationGapTable extends OfTenant {
  device_id: string;
  reason: 'not_running' | 'dropped';
  started_at: number;
  ended_at: number;
}
