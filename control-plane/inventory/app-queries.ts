import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { z } from 'zod';
import type { appTimes, inventoryRoutes } from '#contract/inventory.ts';
import { readInBatches } from '../lib/read-in-batches.ts';
import { countAroundPage, countBounded } from '../storage/bounded-count.ts';
import { contains } from '../storage/contains.ts';
import type { Db } from '../storage/open.ts';
import { countByBucket } from '../storage/over-time.ts';
import type { Tables } from '../storage/tables.ts';

type AppQuery = z.output<typeof inventoryRoutes.listApps.query>;
export type AppFilter = Omit<AppQuery, 'limit' | 'offset' | 'sort'>;
export type AppSort = AppQuery['sort'];
type Apps = SelectQueryBuilder<Tables, 'apps' | 'devices', object>;
type Order = readonly RawBuilder<unknown>[];

const ref = (column: string) => sql.ref(`apps.${column}`);

/** The sort orders, each of which is the order of an index. */
const orders: Record<AppSort['by'], Order> = {
  kind: [ref('kind'), ref('name'), ref('id')],
  first_seen: [ref('first_seen'), ref('id')],
  last_seen: [ref('last_seen'), ref('id')],
};

/** Returns the sort order. By default, the apps of a group are in the order of their devices. */
const orderOf = ({ group }: AppFilter, { by }: AppSort): Order =>
  group !== undefined && by === 'kind' ? [ref('device_id'), ref('id')] : orders[by];

export async function listApps(
  db: Db,
  tenantId: string,
  { limit, offset, sort, ...filter }: AppQuery,
) {
  const apps = selected(db, tenantId, filter);
  const rows = await inOrder(apps, orderOf(filter, sort), sort)
    .selectAll('apps')
    .select(['devices.scanned_at', 'devices.hostname'])
    .limit(limit)
    .offset(offset)
    .execute();
  return { rows, ...(await countAroundPage(db, apps, { limit, offset }, rows.length)) };
}

/** Counts apps on devices by one of their times. */
export const countAppsOverTime = (
  db: Db,
  tenantId: string,
  filter: AppFilter,
  by: (typeof appTimes)[number],
) => countByBucket(db, { rows: selected(db, tenantId, filter), at: `apps.${by}` });

/** Counts apps up to a bound beyond `max`. */
export const countApps = (db: Db, tenantId: string, filter: AppFilter, max: number) =>
  countBounded(db, selected(db, tenantId, filter), { limit: max, offset: 0 });

/** Yields all apps in order, one batch at a time. */
export const eachApp = (
  db: Db,
  tenantId: string,
  { filter, sort, size, max }: { filter: AppFilter; sort: AppSort; size: number; max: number },
) => {
  const order = orderOf(filter, sort);
  const value = sql<string>`${order[0]}`;
  return readInBatches({
    size,
    max,
    keyOf: ({ id }) => id,
    read: (after: Last | undefined, limit: number) => {
      let apps = selected(db, tenantId, filter);
      if (after) apps = apps.where(isAfter(order, sort, after));
      return inOrder(apps, order, sort)
        .selectAll('apps')
        .select(['devices.scanned_at', 'devices.hostname', value.as('sort_value')])
        .limit(limit)
        .execute();
    },
  });
};

interface Last {
  id: string;
  name: string;
  sort_value: string | number;
}

function isAfter(order: Order, { direction }: AppSort, { sort_value, name, id }: Last) {
  const values = order.length === 3 ? [sort_value, name, id] : [sort_value, id];
  return sql<boolean>`(${sql.join(order)}) ${sql.raw(direction === 'asc' ? '>' : '<')} (${sql.join(values)})`;
}

const inOrder = (apps: Apps, order: Order, { direction }: AppSort): Apps =>
  order.reduce((query, column) => query.orderBy(column, direction), apps);

function selected(db: Db, tenantId: string, filter: AppFilter): Apps {
  let apps: Apps = db
    .selectFrom('apps')
    .innerJoin('devices', (join) =>
      join
        .onRef('devices.tenant_id', '=', 'apps.tenant_id')
        .onRef('devices.id', '=', 'apps.device_id'),
    )
    .where('apps.tenant_id', '=', tenantId);
  if (filter.device) apps = apps.where('apps.device_id', '=', filter.device);
  if (filter.group) apps = apps.where('apps.group_id', '=', filter.group);
  if (filter.kind) apps = apps.where('apps.kind', '=', filter.kind);
  if (filter.version) apps = apps.where('apps.version', '=', filter.version);
  if (filter.user) apps = apps.where('apps.user', '=', filter.user);
  if (filter.new_since !== undefined) apps = apps.where('apps.first_seen', '>=', filter.new_since);
  const { time = 'first_seen', start, end } = filter;
  if (start !== undefined) apps = apps.where(`apps.${time}`, '>=', start);
  if (end !== undefined) apps = apps.where(`apps.${time}`, '<', end);
  if (filter.risk_flag)
    apps = apps.where(contains('apps.risk_flags', JSON.stringify(filter.risk_flag)));
  if (filter.present === 'true') apps = apps.whereRef('apps.last_seen', '=', 'devices.scanned_at');
  if (filter.present === 'false') apps = apps.where(isGone);
  const { search } = filter;
  if (search)
    apps = apps.where((eb) =>
      eb.or(['apps.name', 'devices.hostname'].map((column) => contains(column, search))),
    );
  return apps;
}

/** Whether the app was missing in the latest scan of its device. */
const isGone = sql<boolean>`apps.last_seen is distinct from devices.scanned_at`;
