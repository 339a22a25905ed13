import { lastKnownOf } from '../inventory/last-known-line.ts';
import { ApiError } from '#contract/errors.ts';
import type { fleetRoutes } from '#contract/fleet.ts';
import type { Handlers } from '../http/handler.ts';
import { pageOf } from '../http/page.ts';
import type { PendingEnrollment, EnrollmentState } from '../enrollment/queries.ts';
import { captureLevels } from '../captures/levels.ts';
import { configOfDevice } from '../guard/device-config.ts';
import { findGroup, listGroups } from '../inventory/group-queries.ts';
import {
  countReports,
  findDevice,
  findValidIdentity,
  listApps,
  listDevices,
  listFlows,
  listGaps,
  listRefusals,
} from './queries.ts';
import { currentPauses, listPauses } from './pause-queries.ts';
import { isOnline } from './rules.ts';

type Waiting = Pick<EnrollmentState, 'waiting_key' | 'waiting_since' | 'waiting_as'>;

function waitingOf({ waiting_key: key, waiting_since: since, waiting_as: as }: Waiting) {
  if (key === null || since === null || as === null) return null;
  return { key, since, ...(JSON.parse(as) as PendingEnrollment) };
}

export const fleetHandlers: Handlers<typeof fleetRoutes> = {
  async listDevices(context, { caller, query, url }) {
    const { rows, count } = await listDevices(context.storage.reader, caller.tenantId, query);
    const now = context.now();
    const ids = rows.map(({ id }) => id);
    const pauses = await currentPauses(context.storage.reader, caller.tenantId, ids, now);
    const devices = rows.map((row) => ({
      ...row,
      online: isOnline(row, now),
      capture_pause: pauses.get(row.id) ?? null,
    }));
    return pageOf(url, query, { rows: devices, count });
  },

  async getDevice(context, { caller, params }) {
    const { db } = context.storage;
    const { tenantId } = caller;
    const now = context.now();
    const device = await findDevice(db, tenantId, params.id);
    if (!device) throw new ApiError('not_found', `there is no device ${params.id}`);
    const { reader } = context.storage;
    const identity = await findValidIdentity(db, tenantId, device.id, now);
    const config = await configOfDevice(db, tenantId, device.id);
    const refusals = await listRefusals(db, tenantId, device.id);
    const pauses = await currentPauses(db, tenantId, [device.id], now);
    return {
      ...device,
      online: isOnline(device, now),
      capture_pause: pauses.get(device.id) ?? null,
      pauses: await listPauses(db, tenantId, device.id),
      effective_config: config,
      identity: identity ?? null,
      waiting: waitingOf(device),
      not_observed: await listGaps(reader, tenantId, device.id),
      certificate_refusals: refusals,
      capture_levels: await captureLevels(reader, {
        tenantId,
        deviceId: device.id,
        config,
        refusals,
      }),
      ...(await countReports(reader, tenantId, device.id)),
    };
  },

  async listApps(context, { caller, query, url }) {
    const { rows, count } = await listApps(context.storage.reader, caller.tenantId, query);
    const apps = rows.map((row) => {
      const unseen = lastKnownOf(JSON.parse(row.evidence) as string[]);
      return {
        ...row,
        present: row.last_seen === row.scanned_at ? 1 : 0,
        last_seen: unseen?.seen_at ?? row.last_seen,
        last_known: unseen?.why ?? null,
      };
    });
    return pageOf(url, query, { rows: apps, count });
  },

  async listAppGroups(context, { caller, query, url }) {
    return pageOf(url, query, await listGroups(context.storage.reader, caller.tenantId, query));
  },

  async getAppGroup(context, { caller, params }) {
    const group = await findGroup(context.storage.db, caller.tenantId, params.id);
    if (!group) throw new ApiError('not_found', `there is no app ${params.id}`);
    return group;
  },

  async listFlows(context, { caller, query, url }) {
    const result = await listFlows(context.storage.reader, caller.tenantId, query);
    return { ...pageOf(url, query, result), count_exact: result.count_exact };
  },
};
