import { z } from 'zod';

export const livePath = '/api/v1/observability/live/';

/**
 * Server to console: something on this topic changed. Messages carry no data: clients read changes
 * through the same routes, with the same permissions.
 */
export const liveTopics = [
  'devices',
  'apps',
  'inventory',
  'flows',
  'captures',
  'guard',
  'runs',
] as const;
export const liveMessage = z.object({
  topic: z.enum(liveTopics),
  device_id: z.string().optional(),
  run_id: z.int().optional(),
});
export type LiveMessage = z.output<typeof liveMessage>;
