import { MAX_EXPORTED } from '#contract/filters.ts';
import type { flowRoutes } from '#contract/flows.ts';
import type { Handlers } from '../handler.ts';
import { pageOf } from '../http/pagination.ts';
import { EXPORTED_AT_ONCE, refuseTooMany, listFile } from '../lib/list-file.ts';
import type { Db } from '../storage/open.ts';
import { type FlowFilter, type FlowSort, flowsOf } from './flow-filter-queries.ts';
import { countFlows, countFlowsOverTime, eachFlow, groupFlows, listFlows } from './queries.ts';
import { flowsById, sortedFlows } from './sorted-flow-queries.ts';

export const flowHandlers: Handlers<typeof flowRoutes> = {
  async listFlows(context, { caller, query, url }) {
    const { reader } = context.storage;
    const result = await listFlows(reader, caller.tenantId, query, context.now());
    const { count_exact, incomplete } = result;
    return { ...pageOf(url, query, result), count_exact, incomplete };
  },

  summarizeFlows: (context, { caller, query }) =>
    countFlowsOverTime(context.storage.reader, caller.tenantId, query),

  groupFlows: (context, { caller, query }) =>
    groupFlows(context.storage.reader, caller.tenantId, query),

  async exportFlows(context, { caller: { tenantId }, query }) {
    const { reader } = context.storage;
    const { format, sort, ...filter } = query;
    refuseTooMany((await countFlows(reader, tenantId, filter, MAX_EXPORTED)).count, 'flows');
    const batches = exported(reader, tenantId, { filter, sort, now: context.now() });
    return listFile({ format, name: 'flows', fields, batches });
  },
};

const fields = [
  'started_at',
  'ended_at',
  'hostname',
  'device_id',
  'user',
  'process',
  'path',
  'pid',
  'app_id',
  'host',
  'address',
  'port',
  'protocol',
  'bytes_in',
  'bytes_out',
  'id',
] as const;

const iso = (ms: number): string => new Date(ms).toISOString();

interface Exported {
  filter: FlowFilter;
  sort: FlowSort;
  now: number;
}

async function* exported(db: Db, tenantId: string, file: Exported) {
  const batches =
    file.sort.by === 'started_at'
      ? eachFlow(db, tenantId, { ...file, size: EXPORTED_AT_ONCE, max: MAX_EXPORTED })
      : eachSorted(db, tenantId, file);
  for await (const rows of batches)
    yield rows.map((row) => ({
      ...row,
      started_at: iso(row.started_at),
      ended_at: row.ended_at === null ? null : iso(row.ended_at),
    }));
}

/**
 * Yields flows that are sorted at once: without an index for the order, each batch would sort
 * again.
 */
async function* eachSorted(db: Db, tenantId: string, { filter, sort, now }: Exported) {
  const all = { sort, now, limit: MAX_EXPORTED, offset: 0, max: MAX_EXPORTED };
  const keys = await sortedFlows(db, flowsOf(db, tenantId, filter), all);
  for (let from = 0; from < keys.length; from += EXPORTED_AT_ONCE)
    yield await flowsById(db, tenantId, keys.slice(from, from + EXPORTED_AT_ONCE));
}
