import type { SelectQueryBuilder } from 'kysely';
import type { z } from 'zod';
import { type captureRoutes, MAX_SEARCHED_CAPTURES } from '#contract/captures.ts';
import { contains } from '../storage/contains.ts';
import type { Db } from '../storage/open.ts';
import type { Tables } from '../storage/tables.ts';

export type CaptureQuery = z.output<typeof captureRoutes.listCaptures.query>;
export type CaptureFilter = Omit<CaptureQuery, 'limit' | 'offset' | 'sort'>;
export type CaptureSort = CaptureQuery['sort'];
export type Captures = SelectQueryBuilder<Tables, 'captures', object>;

/**
 * Whether a search excludes captures that match the other filters, because it only reads the latest
 * ones.
 */
export async function isSearchTruncated(
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

/** Selects the captures that pass the filter. */
export function capturesOf(
  db: Db,
  tenantId: string,
  { search, ...filter }: CaptureFilter,
): Captures {
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
