import type { Generated } from 'kysely';
import type { OfTenant } from './of-tenant.ts';

export interface EventTables {
  events: EventTable;
}

/** The filterable fields of an event. `body` is the event as received. */
interface EventTable extends OfTenant {
  id: Generated<number>;
  event_type: string | null;
  agent_name: string | null;
  action: string | null;
  operator: string | null;
  reason: string | null;
  run_id: number | null;
  occurred_at: number;
  created_at: number;
  body: string;
}
