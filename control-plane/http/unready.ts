import type { ServerResponse } from 'node:http';
import { z } from 'zod';
import { sendJson } from './send.ts';

/** A dependency that the service needs is not working. */
interface Unready {
  status: 'unavailable';
}

export const isUnready = (output: unknown): output is Unready =>
  (output as Partial<Unready> | null)?.status === 'unavailable';

export const sendUnready = (response: ServerResponse, shape: z.ZodType, output: Unready): void =>
  sendJson(response, 503, z.encode(shape, output));
