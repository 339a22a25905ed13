import type { ServerResponse } from 'node:http';
import { z } from 'zod';
import { sendJson } from './send.ts';

/** The decision is pending. */
interface Waiting {
  status: 'pending';
  /** Seconds. */
  retry_after: number;
}

export const isWaiting = (output: unknown): output is Waiting =>
  typeof output === 'object' &&
  output !== null &&
  'retry_after' in output &&
  (output as Partial<Waiting>).status === 'pending';

export function sendWaiting(response: ServerResponse, shape: z.ZodType, waiting: Waiting): void {
  response.setHeader('Retry-After', String(waiting.retry_after));
  sendJson(response, 202, z.encode(shape, waiting));
}
