import type { OfTenant } from './of-tenant.ts';

/**
 * Hourly totals that are counted in the background from the calls; recording does not write them.
 */
export interface CallHourTables {
  call_hours: CallHourTable;
  counted_hours: CountedHourTable;
}

/** The calls of one hour with one value of a dimension, such as a user or a team. */
interface CallHourTable extends OfTenant {
  grouped_by: 'agent' | 'workflow' | 'user' | 'team' | 'api_key' | 'tag' | 'model' | 'provider';
  /** Empty in the row for all agents together. */
  agent_name: string;
  /** Hours since 1970. */
  hour: number;
  /** Numbers the rows of the hour, because a name may be null, which a key cannot hold. */
  place: number;
  /** The value of the dimension; for tags, a JSON array of all tags of a run. */
  name: string | null;
  call_count: number;
  total_tokens: number;
  tokens_in: number;
  tokens_out: number;
  cache_read_tokens: number;
  total_cost: number;
  /**
   * The number of calls for each duration in milliseconds, such as `205:3 1150:1`; empty if no call
   * has a duration.
   */
  durations: string;
}

interface CountedHourTable extends OfTenant {
  hour: number;
  /**
   * The sum of the revisions of the hour in `model_hours`. If that sum differs, the hour has
   * changed.
   */
  revision: string;
}
