import { z } from 'zod';
import { routes } from './route.ts';

const probe = { method: 'GET', auth: 'none', errors: 'text' } as const;

export const serviceRoutes = routes({
  healthz: {
    ...probe,
    path: '/healthz/',
    summary: 'The process is up',
    response: z.object({ status: z.literal('ok'), version: z.string() }),
  },
  readyz: {
    ...probe,
    path: '/readyz/',
    summary: 'The database answers',
    response: z.object({ status: z.literal('ok') }),
  },
});
