import type { captureRoutes } from '#contract/captures.ts';
import { ApiError } from '#contract/errors.ts';
import { MAX_EXPORTED } from '#contract/filters.ts';
import type { Handlers } from '../handler.ts';
import { EXPORTED_AT_ONCE, refuseTooMany, listFile } from '../lib/list-file.ts';
import type { Db } from '../storage/open.ts';
import {
  type CaptureFilter,
  type CaptureSort,
  capturesOf,
  isSearchTruncated,
} from './capture-filter-queries.ts';
import { countCaptures, eachCapture } from './list-queries.ts';
import { capturesById, sortedCaptures } from './sorted-capture-queries.ts';

const fields = [
  'id',
  'started_at',
  'ended_at',
  'received_at',
  'hostname',
  'device_id',
  'user',
  'process',
  'app_id',
  'method',
  'host',
  'path',
  'status',
  'model',
  'provider',
  'tokens_in',
  'tokens_out',
  'request_type',
  'response_type',
  'request_bytes',
  'response_bytes',
  'redactions',
] as const;

export const exportCaptures: Handlers<typeof captureRoutes>['exportCaptures'] = async (
  { storage: { reader } },
  { caller: { tenantId }, query: { format, sort, ...filter } },
) => {
  if (await isSearchTruncated(reader, tenantId, filter))
    throw new ApiError(
      'validation_error',
      'search: the result would be incomplete: narrow the time range or another filter',
    );
  refuseTooMany((await countCaptures(reader, tenantId, filter, MAX_EXPORTED)).count, 'captures');
  const batches = exported(reader, tenantId, filter, sort);
  return listFile({ format, name: 'captures', fields, batches });
};

const iso = (ms: number): string => new Date(ms).toISOString();

async function* exported(db: Db, tenantId: string, filter: CaptureFilter, sort: CaptureSort) {
  const batches =
    sort.by === 'started_at'
      ? eachCapture(db, tenantId, { filter, sort, size: EXPORTED_AT_ONCE, max: MAX_EXPORTED })
      : eachSorted(db, tenantId, filter, sort);
  for await (const rows of batches)
    yield rows.map((row) => ({
      ...row,
      started_at: iso(row.started_at),
      ended_at: row.ended_at === null ? null : iso(row.ended_at),
      received_at: iso(row.received_at),
      redactions: JSON.parse(row.redactions) as object,
    }));
}

/**
 * Yields captures that are sorted at once: without an index for the order, each batch would sort
 * again.
 */
async function* eachSorted(db: Db, tenantId: string, filter: CaptureFilter, sort: CaptureSort) {
  const all = { sort, limit: MAX_EXPORTED, offset: 0, max: MAX_EXPORTED };
  const ids = await sortedCaptures(db, capturesOf(db, tenantId, filter), all);
  for (let from = 0; from < ids.length; from += EXPORTED_AT_ONCE)
    yield await capturesById(db, tenantId, ids.slice(from, from + EXPORTED_AT_ONCE));
}
