import type { SelectQueryBuilder } from 'kysely';
import type { z } from 'zod';
import type { flowRoutes } from '#contract/flows.ts';
import type { Db } from '../storage/open.ts';
import type { Tables } from '../storage/tables.ts';

export type FlowQuery = z.output<typeof flowRoutes.listFlows.query>;
export type FlowFilter = Omit<FlowQuery, 'limit' | 'offset' | 'sort'>;
export type FlowSort = FlowQuery['sort'];

export type Flows = SelectQueryBuilder<Tables, 'flows', object>;

/** Selects the flows that pass the filter. */
export function flowsOf(db: Db, tenantId: string, filter: FlowFilter): Flows {
  let flows: Flows = db.selectFrom('flows').where('flows.tenant_id', '=', tenantId);
  if (filter.device) flows = flows.where('flows.device_id', '=', filter.device);
  if (filter.host) flows = flows.where('flows.host', '=', filter.host.toLowerCase());
  if (filter.process) flows = flows.where('flows.process', '=', filter.process);
  if (filter.known_host)
    flows = flows.where('flows.host', filter.known_host === 'true' ? 'is not' : 'is', null);
  if (filter.start !== undefined) flows = flows.where('flows.started_at', '>=', filter.start);
  if (filter.end !== undefined) flows = flows.where('flows.started_at', '<', filter.end);
  return flows;
}
