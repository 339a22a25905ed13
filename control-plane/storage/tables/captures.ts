import type { OfTenant } from './of-tenant.ts';

export interface CaptureTables {
  captures: CaptureTable;
  capture_agents: CaptureAgentTable;
  capture_pauses: CapturePauseTable;
}

export interface CaptureTable extends OfTenant {
  /** Derived from the device and the device's own id for the exchange. */
  id: string;
  device_id: string;
  host: string;
  app_id: string | null;
  process: string | null;
  user: string | null;
  method: string;
  path: string;
  status: number | null;
  started_at: number;
  ended_at: number | null;
  received_at: number;
  request_type: string | null;
  response_type: string | null;
  request_bytes: number;
  response_bytes: number;
  request_truncated: number;
  response_truncated: number;
  /** JSON: the number of redactions by kind. */
  redactions: string;
  model: string | null;
  provider: string | null;
  tokens_in: number | null;
  tokens_out: number | null;
  request_body: string | null;
  response_body: string | null;
  /** The provider's id of the response, as in LLM calls; null if there is none. */
  response_id: string | null;
}

/** Agents to which runs created from captures are assigned. */
interface CaptureAgentTable extends OfTenant {
  /** Empty for any device, because a null would not be unique. */
  device_id: string;
  /** The catalog's id of an app, or the name of a process; empty for any app. */
  app: string;
  /** Null if no runs are created. */
  agent_name: string | null;
  updated_at: number;
  updated_by: string;
}

/** Pauses of capture by the user of a device, as reported. */
interface CapturePauseTable extends OfTenant {
  device_id: string;
  /** The id that the device assigned. */
  id: string;
  user: string;
  started_at: number;
  minutes: number;
  /** Null while the pause lasts. */
  ended_at: number | null;
  ended_by: 'time' | 'person' | 'permission' | 'clock' | null;
}
