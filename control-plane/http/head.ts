import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';

/** None of our answers lets a browser do what it need not. */
const SAFE = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'same-origin',
  'Content-Security-Policy':
    "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
};
const safe = Object.entries(SAFE).flat();

const id = Symbol('request id');
type Answering = ServerResponse & { [id]?: string };

/** By which an answer is found in the log. */
export const requestIdOf = (response: Answering): string => (response[id] ??= randomUUID());

/**
 * The head of every answer of ours. All fields go to Node in one list: each that is set before
 * costs several times as much, and thousands are answered in a second.
 */
export function writeHead(
  response: ServerResponse,
  status: number,
  fields: Readonly<Record<string, string | number>> = {},
): ServerResponse {
  const list = ['X-Request-Id', requestIdOf(response), ...safe];
  for (const [name, value] of Object.entries(fields)) list.push(name, String(value));
  return response.writeHead(status, list);
}

/** The same for answers whose head others write. */
export function setCommonFields(response: ServerResponse): void {
  response.setHeaders(new Map(Object.entries({ 'X-Request-Id': requestIdOf(response), ...SAFE })));
}
