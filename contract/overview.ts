import { z } from 'zod';
import { count, timestamp } from './fields.ts';
import { routes } from './route.ts';

const usage = z.object({
  calls: count,
  tokens: z.number(),
  cost: z.number().meta({ description: 'USD' }),
});

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
});
