import { type SelectQueryBuilder, sql } from 'kysely';
import type { z } from 'zod';
import { type captureRoutes, MAX_SEARCHED_CAPTURES } from '#contract/captures.ts';
import { inPortions } from '../lib/in-portions.ts';
import { type BoundedCount, countBounded } from '../storage/bounded-count.ts';
import { contains } from '../storage/contains.ts';
import type { Db } from '../storage/open.ts';
import type { Tables } from '../storage/tables.ts';
import { captureColumns } from './queries.ts';

type CaptureQuery = z.output<typeof captureRoutes.listCaptures.query>;
export type CaptureFilter = Omit<CaptureQuery, 'limit' | 'offset' | 'sort'>;
export type CaptureSort = CaptureQuery['sort'];
type Captures = SelectQueryBuilder<Tables, 'captures', object>;

/** The ids come from an index, so that only the captures of the page are read, without bodies. */
export async function listCaptures(
  db: Db,
  tenantId: string,
  { limit, offset, sort, ...filter }: CaptureQuery,
) {
  const captures = capturesOf(db, tenantId, filter);
  const page = inOrder(captures, sort).limit(limit).offset(offset);
  const rows = await rowsOf(db, tenantId, page, sort);
  const counted = await countBounded(db, captures, { limit, offset });
  return { rows, ...counted, incomplete: await isCut(db, tenantId, filter) };
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

/** Up to a bound beyond `most`. */
export const countCaptures = (
  db: Db,
  tenantId: string,
  filter: CaptureFilter,
  most: number,
): Promise<BoundedCount> =>
  countBounded(db, capturesOf(db, tenantId, filter), { limit: most, offset: 0 });

/** All captures in order, a portion at a time. */
export const eachCapture = (
  db: Db,
  tenantId: string,
  options: { filter: CaptureFilter; sort: CaptureSort; size: number; most: number },
) => {
  const { filter, sort, size, most } = options;
  return inPortions({
    size,
    most,
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

/** Does a search leave out captures of the other filters? */
export async function isCut(
  db: Db,
  tenantId: string,
  { search, ...filter }: CaptureFilter,
): Promise<boolean> {
  if (!search) return false;
  const beyond = await withIndexes(db, tenantId, filter)
    .select('captures.id')
    .orderBy('captures.started_at', 'desc')
    .orderBy('captures.id', 'desc')
    .limit(1)
    .offset(MAX_SEARCHED_CAPTURES)
    .executeTakeFirst();
  return beyond !== undefined;
}

function capturesOf(db: Db, tenantId: string, { search, ...filter }: CaptureFilter): Captures {
  const captures = withIndexes(db, tenantId, filter);
  if (!search) return captures;
  const latest = captures
    .select('captures.id')
    .orderBy('captures.started_at', 'desc')
    .orderBy('captures.id', 'desc')
    .limit(MAX_SEARCHED_CAPTURES);
  return db
    .selectFrom('captures')
    .where('captures.tenant_id', '=', tenantId)
    .where('captures.id', 'in', (eb) => eb.selectFrom(latest.as('latest')).select('latest.id'))
    .where((eb) =>
      eb.or(
        ['path', 'request_body', 'response_body'].map((column) =>
          contains(`captures.${column}`, search),
        ),
      ),
    );
}

function withIndexes(db: Db, tenantId: string, filter: Omit<CaptureFilter, 'search'>): Captures {
  let captures: Captures = db.selectFrom('captures').where('captures.tenant_id', '=', tenantId);
  if (filter.device) captures = captures.where('captures.device_id', '=', filter.device);
  if (filter.host) captures = captures.where('captures.host', '=', filter.host.toLowerCase());
  if (filter.app) captures = captures.where('captures.app_id', '=', filter.app);
  if (filter.model) captures = captures.where('captures.model', '=', filter.model);
  if (filter.status !== undefined) captures = captures.where('captures.status', '=', filter.status);
  if (filter.outcome === 'ok') captures = captures.where('captures.status', '<', 400);
  if (filter.outcome === 'failed') captures = captures.where('captures.status', '>=', 400);
  if (filter.outcome === 'none') captures = captures.where('captures.status', 'is', null);
  if (filter.start !== undefined)
    captures = captures.where('captures.started_at', '>=', filter.start);
  if (filter.end !== undefined) captures = captures.where('captures.started_at', '<', filter.end);
  return captures;
}
