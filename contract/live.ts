import { z } from 'zod';
import type { Access } from './route.ts';

export const LIVE_PATH = '/api/v1/observability/live/';

/** The callers that may open the connection. */
export const liveAccess: Access = { auth: 'session', role: 'viewer' };

/**
 * The topics of messages from the server to the console, each of which means that data of this
 * topic has changed. Messages contain no data: clients read changes through the usual routes, with
 * the same permissions.
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
