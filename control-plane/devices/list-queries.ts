import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { deviceSorts, deviceStates, deviceTimes } from '#contract/devices.ts';
import { readInBatches } from '../lib/read-in-batches.ts';
import { contains } from '../storage/contains.ts';
import { countOf } from '../storage/bounded-count.ts';
import type { Db } from '../storage/open.ts';
import { countByBucket } from '../storage/over-time.ts';
import type { Tables } from '../storage/tables.ts';
import { deviceColumns, devicesOf, targetVersion } from './queries.ts';
import { SILENCE_MS } from './rules.ts';

export interface DeviceFilter {
  search?: string | undefined;
  state?: (typeof deviceStates)[number] | undefined;
  os?: string | undefined;
  user_group?: string | undefined;
  agent_version?: string | undefined;
  with_problems?: 'true' | 'false' | undefined;
  problem?: string | undefined;
  config?: 'applied' | 'pending' | undefined;
  /** The id of an app across the fleet. */
  app?: string | undefined;
  risk_flag?: string | undefined;
  /** The time to which `start` and `end` apply; `last_seen` by default. */
  time?: DeviceTime | undefined;
  start?: number | undefined;
  end?: number | undefined;
}

type DeviceTime = (typeof deviceTimes)[number];

export interface DeviceSelection {
  tenantId: string;
  filter: DeviceFilter;
  now: number;
}

export interface DeviceSort {
  by: (typeof deviceSorts)[number];
  direction: 'asc' | 'desc';
}

type Devices = SelectQueryBuilder<Tables, 'devices' | 'tenants', object>;

/**
 * The number of problems. `","` ends an element and never occurs within one, because quotes are
 * escaped there.
 */
const problemCount = sql<number>`(case when devices.problems = '[]' then 0 else 1
  + (length(devices.problems) - length(replace(devices.problems, '","', ''))) / 3 end)`;

const sortValue: Record<DeviceSort['by'], RawBuilder<string | number>> = {
  last_seen: sql`devices.last_seen`,
  hostname: sql`devices.hostname`,
  user: sql`devices.${sql.ref('user')}`,
  enrolled_at: sql`devices.enrolled_at`,
  problems: problemCount,
  apps: sql`devices.present_apps`,
};

/** Returns one page and the number of all matching devices. */
export async function listDevices(
  db: Db,
  selection: DeviceSelection,
  page: { sort: DeviceSort; limit: number; offset: number },
) {
  const devices = selected(db, selection);
  const rows = await inOrder(devices, page.sort)
    .select(deviceColumns)
    .select(targetVersion.as('config_version'))
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return { rows, count: await countOf(devices) };
}

export const countDevices = (db: Db, selection: DeviceSelection): Promise<number> =>
  countOf(selected(db, selection));

/** Counts devices over time. A fleet is small enough to read all of its devices. */
export const countDevicesOverTime = (db: Db, selection: DeviceSelection, by: DeviceTime) =>
  countByBucket(db, { rows: selected(db, selection), at: `devices.${by}` });

interface Last {
  id: string;
  sort_value: string | number;
}

/** Yields all devices in order, one batch at a time. */
export const eachDevice = (
  db: Db,
  selection: DeviceSelection,
  { sort, size, max }: { sort: DeviceSort; size: number; max: number },
) =>
  readInBatches({
    size,
    max,
    keyOf: ({ id }) => id,
    read: (after: Last | undefined, limit: number) => {
      let devices = selected(db, selection);
      if (after) devices = devices.where(isAfter(sort, after));
      return inOrder(devices, sort)
        .select(deviceColumns)
        .select(targetVersion.as('config_version'))
        .select(sortValue[sort.by].as('sort_value'))
        .limit(limit)
        .execute();
    },
  });

const inOrder = (devices: Devices, { by, direction }: DeviceSort): Devices =>
  devices.orderBy(sortValue[by], direction).orderBy('devices.id', direction);

const isAfter = ({ by, direction }: DeviceSort, { sort_value, id }: Last) =>
  sql<boolean>`(${sortValue[by]}, devices.id) ${sql.raw(direction === 'asc' ? '>' : '<')} (${sort_value}, ${id})`;

function selected(db: Db, { tenantId, filter, now }: DeviceSelection): Devices {
  let devices: Devices = devicesOf(db, tenantId);
  const { search, state, os, user_group, agent_version } = filter;
  if (search)
    devices = devices.where((eb) =>
      eb.or(['hostname', 'user', 'devices.id'].map((column) => contains(column, search))),
    );
  if (state) devices = devices.where(isInState(state, now));
  if (os) devices = devices.where('devices.os', '=', os);
  if (user_group) devices = devices.where('devices.user_group', '=', user_group);
  if (agent_version) devices = devices.where('devices.agent_version', '=', agent_version);
  return withReports(withTimes(devices, filter), filter);
}

function withTimes(all: Devices, { time = 'last_seen', start, end }: DeviceFilter): Devices {
  let devices = all;
  if (start !== undefined) devices = devices.where(`devices.${time}`, '>=', start);
  if (end !== undefined) devices = devices.where(`devices.${time}`, '<', end);
  return devices;
}

function isInState(state: (typeof deviceStates)[number], now: number): RawBuilder<boolean> {
  const online = sql<boolean>`devices.last_seen > ${now - SILENCE_MS}
    and devices.last_seen > coalesce(devices.disconnected_at, 0)`;
  if (state === 'online') return sql`(devices.status = 'active' and ${online})`;
  if (state === 'offline') return sql`(devices.status = 'active' and not (${online}))`;
  if (state === 'waiting')
    return sql`(devices.pending_key is not null and devices.status <> 'revoked')`;
  return sql`devices.status = ${state}`;
}

/** Adds filters by the latest report of the agent. */
function withReports(all: Devices, filter: DeviceFilter): Devices {
  let devices = all;
  const { with_problems, problem, config, app, risk_flag } = filter;
  if (with_problems) {
    const isProblem = sql<boolean>`(devices.status = 'active' and devices.problems <> '[]')`;
    devices = devices.where(with_problems === 'true' ? isProblem : sql<boolean>`not ${isProblem}`);
  }
  if (problem) devices = devices.where(contains('devices.problems', inJson(problem)));
  if (config)
    devices = devices
      .where('devices.status', '=', 'active')
      .where(
        sql<boolean>`devices.applied_version ${sql.raw(config === 'applied' ? '>=' : '<')} ${targetVersion}`,
      );
  if (risk_flag) devices = devices.where(contains('devices.risk_flags', JSON.stringify(risk_flag)));
  if (app)
    devices = devices.where((eb) =>
      eb.exists(
        eb
          .selectFrom('apps')
          .select(sql`1`.as('one'))
          .whereRef('apps.tenant_id', '=', 'devices.tenant_id')
          .where('apps.group_id', '=', app)
          .whereRef('apps.device_id', '=', 'devices.id')
          .whereRef('apps.last_seen', '=', 'devices.scanned_at'),
      ),
    );
  return devices;
}

/** Returns a text in the form that it has within a JSON string. */
const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);
