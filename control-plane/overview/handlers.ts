import type { overviewRoutes } from '#contract/overview.ts';
import { isOnline } from '../devices/rules.ts';
import type { Handlers } from '../http/handler.ts';
import { roundedCost } from '../llm-calls/rules.ts';
import { HOUR_MS } from '../usage/count.ts';
import {
  countIncidents,
  countPendingApprovals,
  countRuns,
  listDeviceStates,
  usageSince,
} from './queries.ts';

export const overviewHandlers: Handlers<typeof overviewRoutes> = {
  async getOverview(context, { caller: { tenantId } }) {
    const { reader } = context.storage;
    const at = context.now();
    const hour = Math.floor(at / HOUR_MS);
    const [counted, day, week, incidents, pending, devices] = await Promise.all([
      countRuns(reader, tenantId),
      usageSince(reader, tenantId, hour - 24),
      usageSince(reader, tenantId, hour - 7 * 24),
      countIncidents(reader, tenantId),
      countPendingApprovals(reader, tenantId, at),
      listDeviceStates(reader, tenantId),
    ]);
    const ofStatus = (name: string): number =>
      devices.filter(({ status }) => status === name).length;
    return {
      at,
      ...counted,
      last_day: { ...day, cost: roundedCost(day.cost) },
      last_week: { ...week, cost: roundedCost(week.cost) },
      incidents,
      approvals: { pending },
      devices: {
        active: ofStatus('active'),
        pending: ofStatus('pending'),
        revoked: ofStatus('revoked'),
        online: devices.filter((device) => isOnline(device, at)).length,
      },
    };
  },
};
