import type { OfTenant } from './of-tenant.ts';

export interface CodingAgentTables {
  coding_counters: CodingCounterTable;
}

/** A counter of a coding agent, which is one series of a metric, usually of one session. */
interface CodingCounterTable extends OfTenant {
  /** A hash of the attributes that identify the series. */
  id: string;
  agent_name: string;
  user_id: string | null;
  user_group: string | null;
  measure: 'lines_added' | 'lines_removed';
  /** The time of the first point. */
  started_at: number;
  /** The time of the last point. Earlier points that are sent again are ignored. */
  seen_at: number;
  value: number;
}
