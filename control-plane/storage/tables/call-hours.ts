import type { OfTenant } from './of-tenant.ts';

/** Counted in the background from the calls themselves: recording does not write these. */
export interface CallHourTables {
  call_hours: CallHourTable;
  counted_hours: CountedHourTable;
}

/** The calls of one hour of one user, team, key and so on. */
interface CallHourTable extends OfTenant {
  grouped_by: 'agent' | 'workflow' | 'user' | 'team' | 'api_key' | 'tag' | 'model' | 'provider';
  /** Empty: all agents together. */
  agent_name: string;
  /** Hours since 1970. */
  hour: number;
  /** Numbers the rows of the hour: a name may be null, which a key cannot hold. */
  place: number;
  /** The value of the dimension; for tags, a JSON array of all tags of a run. */
  name: string | null;
  call_count: number;
  total_tokens: number;
  tokens_in: number;
  tokens_out: number;
  cache_read_tokens: number;
  total_cost: number;
  /** How many calls took how many milliseconds, such as `205:3 1150:1`; empty if none was timed. */
  durations: string;
}

interface CountedHourTable extends OfTenant {
  hour: number;
  /** The revisions of the hour in `model_hours`, added up: another sum means that it has changed. */
  revision: string;
}
