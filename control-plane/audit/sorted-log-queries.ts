import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import type { auditRoutes } from '#contract/audit.ts';
import type { Db } from '../storage/open.ts';
import { countByBucket, countInRanges, type OverTime } from '../storage/over-time.ts';
import { sortLatest } from '../storage/sorted-latest.ts';
import { valueList } from '../storage/value-list.ts';
import { findSequences, rangesOf } from './log-queries.ts';
import type { LogFilter } from './log-rules.ts';

export type LogSort = z.output<typeof auditRoutes.listAuditEntries.query>['sort'];

export interface SortedLog {
  sort: LogSort;
  limit: number;
  offset: number;
  /** The number of latest entries that are sorted if the order is not by time. */
  max: number;
}

const sortValue: Record<LogSort['by'], RawBuilder<string | number | null>> = {
  created_at: sql.ref('created_at'),
  action: sql.ref('action'),
  actor: sql`coalesce(
    (select email from users where users.tenant_id = audit_entries.tenant_id
      and users.id = audit_entries.actor_id),
    (select name from api_keys where api_keys.tenant_id = audit_entries.tenant_id
      and api_keys.id = audit_entries.actor_id),
    actor_id)`,
  resource: sql`resource_type || ' ' || resource_id`,
  ip: sql.ref('ip'),
};

/** Returns the sequence numbers of one page. */
export async function sequencesInOrder(
  db: Db,
  tenantId: string,
  filter: LogFilter,
  { sort: { by, direction }, limit, offset, max }: SortedLog,
): Promise<number[]> {
  if (by === 'created_at') return findSequences(db, tenantId, filter, { limit, offset, direction });
  const newest = { limit: max, offset: 0, direction: 'desc' } as const;
  const latest = db
    .selectFrom('audit_entries')
    .select(['sequence as id', 'created_at as at', sortValue[by].as('sort_value')])
    .where('tenant_id', '=', tenantId)
    .where('sequence', 'in', valueList(await findSequences(db, tenantId, filter, newest)));
  const page = { direction, limit, offset };
  return (await sortLatest(db, latest, page)).map(({ id }) => id);
}

/** Counts entries over time. It reads only indexes unless the filter needs the rows. */
export async function countEntriesOverTime(
  db: Db,
  tenantId: string,
  filter: LogFilter,
): Promise<OverTime> {
  const [first, ...more] = await rangesOf(db, tenantId, filter);
  if (!first) return { count: 0, complete: true, bucket_seconds: 0, buckets: [] };
  if (more.length === 0) return countInRanges(db, { rows: first, at: 'created_at' });
  const times = more.reduce(
    (union, next) => union.unionAll(next.select('created_at')),
    first.select('created_at'),
  );
  return countByBucket(db, { rows: db.selectFrom(times.as('found')), at: 'created_at' });
}
