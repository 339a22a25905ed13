import { MAX_EXPORTED } from '#contract/filters.ts';
import type { flowRoutes } from '#contract/flows.ts';
import type { Handlers } from '../handler.ts';
import { pageOf } from '../http/page.ts';
import { EXPORTED_AT_ONCE, refuseTooMany, listFile } from '../lib/list-file.ts';
import type { Db } from '../storage/open.ts';
import {
  countFlows,
  eachFlow,
  type FlowFilter,
  type FlowSort,
  groupFlows,
  listFlows,
} from './queries.ts';

export const flowHandlers: Handlers<typeof flowRoutes> = {
  async listFlows(context, { caller, query, url }) {
    const result = await listFlows(context.storage.reader, caller.tenantId, query);
    return { ...pageOf(url, query, result), count_exact: result.count_exact };
  },

  groupFlows: (context, { caller, query }) =>
    groupFlows(context.storage.reader, caller.tenantId, query),

  async exportFlows({ storage: { reader } }, { caller: { tenantId }, query }) {
    const { format, sort, ...filter } = query;
    refuseTooMany((await countFlows(reader, tenantId, filter, MAX_EXPORTED)).count, 'flows');
    const batches = exported(reader, tenantId, filter, sort);
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

async function* exported(db: Db, tenantId: string, filter: FlowFilter, sort: FlowSort) {
  const options = { filter, sort, size: EXPORTED_AT_ONCE, most: MAX_EXPORTED };
  for await (const rows of eachFlow(db, tenantId, options))
    yield rows.map((row) => ({
      ...row,
      started_at: iso(row.started_at),
      ended_at: row.ended_at === null ? null : iso(row.ended_at),
    }));
}
