import type { devicesRoutes } from '#contract/devices.ts';
import { ApiError } from '#contract/errors.ts';
import type { Handlers } from '../handler.ts';
import { pageOf } from '../http/pagination.ts';
import type { PendingEnrollment, EnrollmentState } from '../enrollment/queries.ts';
import { captureLevels } from '../captures/levels.ts';
import { configOfDevice } from '../guard/device-config.ts';
import {
  countReports,
  currentPauses,
  findDevice,
  findValidIdentity,
  listGaps,
  listPauses,
  listRefusals,
} from './queries.ts';
import { exportDevices } from './export-devices.ts';
import { countDevicesOverTime, listDevices } from './list-queries.ts';
import { isOnline } from './rules.ts';

type PendingColumns = Pick<EnrollmentState, 'pending_key' | 'pending_since' | 'pending_request'>;

function pendingOf({ pending_key: key, pending_since: since, pending_request }: PendingColumns) {
  if (key === null || since === null || pending_request === null) return null;
  return { key, since, ...(JSON.parse(pending_request) as PendingEnrollment) };
}

export const devicesHandlers: Handlers<typeof devicesRoutes> = {
  async listDevices(context, { caller, query, url }) {
    const { limit, offset, sort, ...filter } = query;
    const now = context.now();
    const { rows, count } = await listDevices(
      context.storage.reader,
      { tenantId: caller.tenantId, filter, now },
      { limit, offset, sort },
    );
    const ids = rows.map(({ id }) => id);
    const pauses = await currentPauses(context.storage.reader, caller.tenantId, ids, now);
    const devices = rows.map((row) => ({
      ...row,
      online: isOnline(row, now),
      capture_pause: pauses.get(row.id) ?? null,
      waiting_key: row.status === 'revoked' ? null : row.pending_key,
    }));
    return pageOf(url, query, { rows: devices, count });
  },

  summarizeDevices(context, { caller: { tenantId }, query: { by, ...filter } }) {
    const selection = { tenantId, filter, now: context.now() };
    return countDevicesOverTime(context.storage.reader, selection, by);
  },

  exportDevices,

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
      waiting: pendingOf(device),
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
};
