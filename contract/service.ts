import { z } from 'zod';
import { searchLag } from './fields.ts';
import { routes } from './route.ts';

const probe = { method: 'GET', auth: 'none', errors: 'text' } as const;

const check = z.discriminatedUnion('status', [
  z.object({ status: z.literal('ok') }),
  z.object({ status: z.literal('failed'), reason: z.string() }),
]);

/** The checks. The first failed one determines the reported reason. */
const checks = z.object({
  /** Whether the database responds. */
  database: check,
  /** Whether the database accepts writes. */
  recording: check,
  /** Whether the database schema matches this version. */
  migrations: check,
});

const search = searchLag.exactOptional().meta({
  description:
    'LLM calls not in the search index yet; does not affect readiness, and is omitted if unknown',
});

export const serviceRoutes = routes({
  healthz: {
    ...probe,
    path: '/healthz/',
    summary: 'Liveness: the process is running',
    response: z.object({ status: z.literal('ok'), version: z.string() }),
  },
  metrics: {
    ...probe,
    path: '/metrics/',
    summary: 'Metrics in Prometheus text format; requires METRICS_TOKEN as bearer token',
    errorStatuses: [401, 404],
    produces: 'text/plain; version=0.0.4; charset=utf-8',
    response: z.string().meta({ examples: ['gatehouse_device_channels 12\n'] }),
  },
  readyz: {
    ...probe,
    path: '/readyz/',
    summary: 'Readiness: the service can record',
    response: z.object({ status: z.literal('ok'), checks, search }),
    unavailable: z.object({ status: z.literal('unavailable'), error: z.string(), checks }),
  },
});
