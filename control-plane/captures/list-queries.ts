import { sql } from 'kysely';
import { MAX_SORTED } from '#contract/filters.ts';
import { readInBatches } from '../lib/read-in-batches.ts';
import { type BoundedCount, countBounded } from '../storage/bounded-count.ts';
import type { Db } from '../storage/open.ts';
import { countByBucket, countInRanges, type OverTime } from '../storage/over-time.ts';
import { countSorted } from '../storage/sorted-latest.ts';
import {
  type CaptureFilter,
  type CaptureQuery,
  type Captures,
  type CaptureSort,
  capturesOf,
  isSearchTruncated,
} from './capture-filter-queries.ts';
import { captureColumns } from './queries.ts';
import { capturesById, sortedCaptures } from './sorted-capture-queries.ts';

/**
 * Lists captures. The ids come from an index, so that only the captures of the page are read,
 * without bodies.
 */
export async function listCaptures(
  db: Db,
  tenantId: string,
  { limit, offset, sort, ...filter }: CaptureQuery,
) {
  const captures = capturesOf(db, tenantId, filter);
  const cut = await isSearchTruncated(db, tenantId, filter);
  if (sort.by !== 'started_at') {
    const ids = await sortedCaptures(db, captures, { sort, limit, offset, max: MAX_SORTED });
    const { incomplete, ...counted } = await countSorted(db, captures);
    return {
      rows: await capturesById(db, tenantId, ids),
      ...counted,
      incomplete: incomplete || cut,
    };
  }
  const page = inOrder(captures, sort).limit(limit).offset(offset);
  const rows = await rowsOf(db, tenantId, page, sort);
  const counted = await countBounded(db, captures, { limit, offset });
  return { rows, ...counted, incomplete: cut };
}

/** Counts captures by their start. A search counts the captures that it has read anyway. */
export function countCapturesOverTime(
  db: Db,
  tenantId: string,
  filter: CaptureFilter,
): Promise<OverTime> {
  const timed = { rows: capturesOf(db, tenantId, filter), at: 'captures.started_at' };
  return filter.search ? countByBucket(db, timed) : countInRanges(db, timed);
}

const inOrder = (captures: Captures, { direction }: CaptureSort) =>
  captures
    .select(['captures.id', 'captures.started_at'])
    .orderBy('captures.started_at', direction)
    .orderBy('captures.id', direction);

const rowsOf = (
  db: Db,
  tenantId: string,
  page: ReturnType<typeof inOrder>,
  { direction }: CaptureSort,
) =>
  db
    .selectFrom(page.as('page'))
    .innerJoin('captures', (join) =>
      join.on('captures.tenant_id', '=', tenantId).onRef('captures.id', '=', 'page.id'),
    )
    .innerJoin('devices', (join) =>
      join.on('devices.tenant_id', '=', tenantId).onRef('devices.id', '=', 'captures.device_id'),
    )
    .select(captureColumns)
    .orderBy('page.started_at', direction)
    .orderBy('page.id', direction)
    .execute();

/** Counts captures up to a bound beyond `max`. */
export const countCaptures = (
  db: Db,
  tenantId: string,
  filter: CaptureFilter,
  max: number,
): Promise<BoundedCount> =>
  countBounded(db, capturesOf(db, tenantId, filter), { limit: max, offset: 0 });

/** Yields all captures in order of time, one batch at a time. */
export const eachCapture = (
  db: Db,
  tenantId: string,
  options: { filter: CaptureFilter; sort: CaptureSort; size: number; max: number },
) => {
  const { filter, sort, size, max } = options;
  return readInBatches({
    size,
    max,
    keyOf: ({ id }) => id,
    read: (after: { started_at: number; id: string } | undefined, limit: number) => {
      let captures = capturesOf(db, tenantId, filter);
      if (after)
        captures = captures.where(
          sql<boolean>`(captures.started_at, captures.id) ${sql.raw(sort.direction === 'asc' ? '>' : '<')} (${after.started_at}, ${after.id})`,
        );
      return rowsOf(db, tenantId, inOrder(captures, sort).limit(limit), sort);
    },
  });
};
