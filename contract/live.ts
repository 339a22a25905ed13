import { z } from 'zod';
import type { Access } from './route.ts';

export const LIVE_PATH = '/api/v1/observability/live/';

/** The callers that may open the connection. */
export const liveAccess: Access = { auth: 'session', role: 'viewer' };

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
  'approvals',
  'experiments',
] as const;
export const liveMessage = z.object({
  topic: z.enum(liveTopics),
  device_id: z.string().optional(),
  run_id: z.int().optional(),
});
export type LiveMessage = z.output<typeof liveMessage>;
