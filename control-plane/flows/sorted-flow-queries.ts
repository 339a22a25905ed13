import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../storage/open.ts';
import { sortLatest } from '../storage/sorted-latest.ts';
import type { Flows, FlowSort } from './flow-filter-queries.ts';

/** Identifies a flow, because ids of flows are unique only per device. */
interface FlowKey {
  device_id: string;
  id: string;
}

export interface SortedFlows {
  sort: FlowSort;
  /** The time that is used as the end of open flows. */
  now: number;
  limit: number;
  offset: number;
  /** The number of latest flows that are sorted. */
  max: number;
}

const sortValue = (by: FlowSort['by'], now: number): RawBuilder<string | number | null> => {
  switch (by) {
    case 'hostname':
      return sql`(select devices.hostname from devices
        where devices.tenant_id = flows.tenant_id and devices.id = flows.device_id)`;
    case 'host':
      return sql`coalesce(flows.host, flows.address)`;
    case 'duration':
      return sql`coalesce(flows.ended_at, ${sql.lit(now)}) - flows.started_at`;
    default:
      return sql.ref(`flows.${by}`);
  }
};

/** Returns the keys of one page of the latest flows, sorted by a field that no index has. */
export function sortedFlows(
  db: Db,
  flows: Flows,
  { sort, now, max, ...page }: SortedFlows,
): Promise<FlowKey[]> {
  const latest = flows
    .select(['flows.device_id', 'flows.id', 'flows.started_at as at'])
    .select(sortValue(sort.by, now).as('sort_value'))
    .orderBy('flows.started_at', 'desc')
    .orderBy('flows.id', 'desc')
    .limit(max);
  return sortLatest(db, latest, { direction: sort.direction, ...page });
}

/** Returns the flows with these keys, in that order. */
export async function flowsById(db: Db, tenantId: string, keys: readonly FlowKey[]) {
  if (keys.length === 0) return [];
  const pairs = sql.join(keys.map(({ device_id, id }) => sql`(${device_id}, ${id})`));
  const rows = await db
    .selectFrom(sql<{ column1: string; column2: string }>`(values ${pairs})`.as('found'))
    .innerJoin('flows', (join) =>
      join
        .on('flows.tenant_id', '=', tenantId)
        .onRef('flows.device_id', '=', 'found.column1')
        .onRef('flows.id', '=', 'found.column2'),
    )
    .innerJoin('devices', (join) =>
      join.on('devices.tenant_id', '=', tenantId).onRef('devices.id', '=', 'flows.device_id'),
    )
    .selectAll('flows')
    .select('devices.hostname')
    .execute();
  const byKey = new Map(rows.map((row) => [keyOf(row), row]));
  return keys.flatMap((key) => byKey.get(keyOf(key)) ?? []);
}

const keyOf = ({ device_id, id }: FlowKey): string => `${device_id} ${id}`;
