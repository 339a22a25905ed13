import { sql } from 'kysely';
import { MAX_SORTED } from '#contract/filters.ts';
import { MAX_FLOW_GROUPS, MAX_GROUPED } from '#contract/flows.ts';
import { readInBatches } from '../lib/read-in-batches.ts';
import { countBounded } from '../storage/bounded-count.ts';
import type { Db } from '../storage/open.ts';
import { countInRanges } from '../storage/over-time.ts';
import { countSorted } from '../storage/sorted-latest.ts';
import {
  type FlowFilter,
  type FlowQuery,
  type Flows,
  type FlowSort,
  flowsOf,
} from './flow-filter-queries.ts';
import { flowsById, sortedFlows } from './sorted-flow-queries.ts';

/**
 * Lists flows. It selects ids from an index in order of time, and reads full rows for this page
 * only. `now` is the end of open flows.
 */
export async function listFlows(
  db: Db,
  tenantId: string,
  { limit, offset, sort, ...filter }: FlowQuery,
  now: number,
) {
  const flows = flowsOf(db, tenantId, filter);
  if (sort.by !== 'started_at') {
    const page = { sort, now, limit, offset, max: MAX_SORTED };
    const keys = await sortedFlows(db, flows, page);
    return { rows: await flowsById(db, tenantId, keys), ...(await countSorted(db, flows)) };
  }
  const page = inOrder(flows, sort).limit(limit).offset(offset);
  const rows = await rowsOf(db, tenantId, page, sort);
  return { rows, ...(await countBounded(db, flows, { limit, offset })), incomplete: false };
}

/** Counts flows by their start. Only indexes are read unless the filter needs the rows. */
export const countFlowsOverTime = (db: Db, tenantId: string, filter: FlowFilter) =>
  countInRanges(db, { rows: flowsOf(db, tenantId, filter), at: 'flows.started_at' });

const inOrder = (flows: Flows, { direction }: FlowSort) =>
  flows
    .select(['flows.device_id', 'flows.id', 'flows.started_at'])
    .orderBy('flows.started_at', direction)
    .orderBy('flows.id', direction);

const rowsOf = (
  db: Db,
  tenantId: string,
  page: ReturnType<typeof inOrder>,
  { direction }: FlowSort,
) =>
  db
    .selectFrom(page.as('page'))
    .innerJoin('flows', (join) =>
      join
        .on('flows.tenant_id', '=', tenantId)
        .onRef('flows.device_id', '=', 'page.device_id')
        .onRef('flows.id', '=', 'page.id'),
    )
    .innerJoin('devices', (join) =>
      join.on('devices.tenant_id', '=', tenantId).onRef('devices.id', '=', 'page.device_id'),
    )
    .selectAll('flows')
    .select('devices.hostname')
    .orderBy('page.started_at', direction)
    .orderBy('page.id', direction)
    .execute();

/** Counts flows up to a bound beyond `max`. */
export const countFlows = (db: Db, tenantId: string, filter: FlowFilter, max: number) =>
  countBounded(db, flowsOf(db, tenantId, filter), { limit: max, offset: 0 });

/** Yields all flows in order of time, one batch at a time. */
export const eachFlow = (
  db: Db,
  tenantId: string,
  { filter, sort, size, max }: { filter: FlowFilter; sort: FlowSort; size: number; max: number },
) =>
  readInBatches({
    size,
    max,
    keyOf: ({ device_id, id }) => `${device_id} ${id}`,
    read: (after: { started_at: number; id: string } | undefined, limit: number) => {
      let flows = flowsOf(db, tenantId, filter);
      // This includes the last flow itself, because flows of several devices may share their id.
      if (after)
        flows = flows.where(
          sql<boolean>`(flows.started_at, flows.id) ${sql.raw(sort.direction === 'asc' ? '>=' : '<=')} (${after.started_at}, ${after.id})`,
        );
      return rowsOf(db, tenantId, inOrder(flows, sort).limit(limit), sort);
    },
  });

/**
 * Groups the latest flows of a filter by device, process and endpoint. The number of flows is
 * bounded.
 */
export async function groupFlows(db: Db, tenantId: string, filter: FlowFilter) {
  const latest = flowsOf(db, tenantId, filter)
    .select(['device_id', 'process', 'host', 'port', 'protocol', 'started_at'])
    .select(['ended_at', 'bytes_in', 'bytes_out'])
    .select((eb) =>
      eb.case().when('host', 'is', null).then(eb.ref('address')).else(null).end().as('endpoint'),
    )
    .orderBy('started_at', 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_GROUPED + 1);
  const groups = await db
    .selectFrom(latest.as('latest'))
    .innerJoin('devices', (join) =>
      join.on('devices.tenant_id', '=', tenantId).onRef('devices.id', '=', 'latest.device_id'),
    )
    .select(['latest.device_id', 'devices.hostname', 'process', 'host', 'endpoint as address'])
    .select(['port', 'protocol'])
    .select(({ fn }) => [
      fn.countAll<number>().as('flow_count'),
      sql<number>`sum(case when latest.ended_at is null then 1 else 0 end)`.as('open_count'),
      fn.sum<number | null>('bytes_in').as('bytes_in'),
      fn.sum<number | null>('bytes_out').as('bytes_out'),
      fn.min<number>('started_at').as('first_started'),
      fn.max<number>('started_at').as('last_started'),
    ])
    .groupBy(['latest.device_id', 'devices.hostname', 'process', 'host', 'endpoint'])
    .groupBy(['port', 'protocol'])
    .orderBy('flow_count', 'desc')
    .orderBy('last_started', 'desc')
    .execute();
  const flow_count = groups.reduce((sum, group) => sum + group.flow_count, 0);
  return {
    results: groups.slice(0, MAX_FLOW_GROUPS),
    group_count: groups.length,
    flow_count,
    complete: flow_count <= MAX_GROUPED,
  };
}
