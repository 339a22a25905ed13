import type { overviewRoutes } from '#contract/overview.ts';
import { isOnline } from '../devices/rules.ts';
import type { Handlers } from '../handler.ts';
import { roundedCost } from '../llm-calls/rules.ts';
import { HOUR_MS } from '#lib/time-units.ts';
import { DURATION_PRECISION } from '../usage/duration-buckets.ts';
import { findActivity } from './activity-queries.ts';
import { courseOf, figuresOf, periodsOf, stepsOf } from './activity-rules.ts';
import {
  countIncidents,
  countPendingApprovals,
  countRuns,
  countDevices,
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

  async getActivity(context, { caller: { tenantId }, query }) {
    const at = context.now();
    const { current, previous } = periodsOf(query, at);
    const steps = stepsOf(current, at);
    // One snapshot makes the figures agree with each other.
    const found = await context.storage.reader
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute(async (db) => ({
        activity: await findActivity(db, tenantId, current, steps),
        before: await findActivity(db, tenantId, previous, steps),
        devices: await countDevices(db, tenantId),
        open: (await countIncidents(db, tenantId)).open,
        pending: await countPendingApprovals(db, tenantId, at),
      }));
    return {
      at,
      period: { start: current.start, end: current.end ?? at },
      previous,
      figures: figuresOf(found.activity),
      previous_figures: figuresOf(found.before),
      duration_precision: DURATION_PRECISION,
      step_hours: steps.stepHours,
      course: courseOf(found.activity, steps),
      devices: found.devices,
      incidents: { open: found.open },
      approvals: { pending: found.pending },
    };
  },
};
