import { z } from 'zod';
import { routes } from './route.ts';

/** What the configuration profile delivers to a device, as the agent reads it. */
export const managedConfig = z.object({
  api_url: z.url({ protocol: /^https?$/ }),
  api_key: z.string().min(1),
  capture_enabled: z.boolean().default(false),
  intercept_hosts: z.array(z.string()).default([]),
  intercept_processes: z.array(z.string()).default([]),
});
export type ManagedConfig = z.output<typeof managedConfig>;

export const deploymentRoutes = routes({
  getMdmProfile: {
    method: 'GET',
    path: '/api/svc/v1/endpoint/mdm-profile/',
    summary: 'The unsigned configuration profile to upload to device management',
    auth: 'api-key',
    permission: 'admin',
    errors: 'coded',
    query: z.object({
      hosts: z.string().optional().meta({ description: 'hosts to pre-enable, comma-separated' }),
    }),
    produces: 'application/x-apple-aspen-config',
    response: z.string(),
  },
});
