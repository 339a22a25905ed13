import { z } from 'zod';
import { searchLag } from './fields.ts';
import { routes } from './route.ts';

const probe = { method: 'GET', auth: 'none', errors: 'text' } as const;

const check = z.discriminatedUnion('status', [
  z.object({ status: z.literal('ok') }),
  z.object({ status: z.literal('failed'), reason: z.string() }),
]);

/** The first that fails is the reason that is told. */
const checks = z.object({
  /** It answers. */
  database: check,
  /** It takes writes. */
  recording: check,
  /** Its schema is the one that this version works with. */
  migrations: check,
});

const search = searchLag.exactOptional().meta({
  description:
    'LLM calls that a search does not find yet; no reason not to be ready, and left out when unknown',
});

export const serviceRoutes = routes({
  healthz: {
    ...probe,
    path: '/healthz/',
    summary: 'The process is up',
    response: z.object({ status: z.literal('ok'), version: z.string() }),
  },
  metrics: {
    ...probe,
    path: '/metrics/',
    summary: "What operators watch, in Prometheus' text format; with METRICS_TOKEN as bearer token",
    refuses: [401, 404],
    produces: 'text/plain; version=0.0.4; charset=utf-8',
    response: z.string().meta({ examples: ['gatehouse_device_channels 12\n'] }),
  },
  readyz: {
    ...probe,
    path: '/readyz/',
    summary: 'Recording works',
    response: z.object({ status: z.literal('ok'), checks, search }),
    unready: z.object({ status: z.literal('unavailable'), error: z.string(), checks }),
  },
});
