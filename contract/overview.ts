import { z } from 'zod';
import { count, period, range, startBeforeEnd, timestamp } from './fields.ts';
import { routes } from './route.ts';

const usage = z.object({
  calls: count,
  tokens: z.number(),
  cost: z.number().meta({ description: 'USD' }),
});

const duration = z.number().nullable().meta({ description: 'milliseconds; null if no run ended' });

/** The totals of the runs that started in a period, and of other events in it. */
const figures = z.object({
  runs: count,
  running: count,
  errors: count,
  error_rate: z.number().nullable().meta({
    description: 'share of ended runs that failed, 0 to 1; null if none ended',
  }),
  duration_p50: duration,
  duration_p95: duration,
  calls: count,
  tokens: z.number(),
  cost: z.number().meta({ description: 'USD' }),
  blocked: count.meta({ description: 'incidents with the action `block`' }),
  incidents: count.meta({ description: 'incidents raised' }),
  approvals: count.meta({ description: 'approvals requested' }),
});
export type Figures = z.output<typeof figures>;

const bounds = z.object({ start: timestamp, end: timestamp });

export const overviewRoutes = routes({
  getOverview: {
    method: 'GET',
    path: '/api/v1/observability/overview/',
    summary: 'The key figures of a tenant',
    auth: 'session',
    role: 'viewer',
    errors: 'text',
    response: z.object({
      at: timestamp,
      agents: count.meta({ description: 'agents with at least one run' }),
      runs: z.object({ running: count, success: count, error: count }),
      last_day: usage.meta({ description: 'since the full hour 24 hours ago' }),
      last_week: usage.meta({ description: 'since the full hour 7 days ago' }),
      incidents: z.object({ open: count, acknowledged: count }),
      approvals: z.object({ pending: count }),
      devices: z.object({ active: count, pending: count, revoked: count, online: count }),
    }),
  },
  getActivity: {
    method: 'GET',
    path: '/api/v1/observability/overview/activity/',
    summary: 'The key figures of a period and of the period before it, and their course',
    auth: 'session',
    role: 'viewer',
    errors: 'text',
    query: z
      .object({
        ...range,
        period: period.default('1d').meta({
          description: 'ends with the current hour and starts at a full hour; unused with `start`',
        }),
      })
      .check(startBeforeEnd),
    response: z.object({
      at: timestamp,
      period: bounds.meta({ description: '`start` ≤ time < `end`; without `end`: until now' }),
      previous: bounds.meta({ description: 'equally long, and ends where the period starts' }),
      figures,
      previous_figures: figures,
      duration_precision: z.number().meta({
        description: 'maximum relative error of durations',
      }),
      step_hours: count.meta({ description: 'length of each interval of the course' }),
      course: z.array(figures.extend({ start: timestamp })),
      devices: z.object({
        active: count,
        with_problems: count.meta({ description: 'active devices whose agent reports problems' }),
      }),
      incidents: z.object({ open: count }),
      approvals: z.object({ pending: count }),
    }),
  },
});
