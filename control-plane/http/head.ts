import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';

/** Restrictive defaults for browsers. */
const SAFE = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'same-origin',
  'Content-Security-Policy':
    "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
};
const safe = Object.entries(SAFE).flat();

const TLS_ONLY = ['Strict-Transport-Security', 'max-age=31536000'] as const;

const id = Symbol('request id');
const tlsOnly = Symbol('TLS only');
type Answering = ServerResponse & { [id]?: string; [tlsOnly]?: true };

/** Returns the id of a response, which identifies it in the log. */
export const requestIdOf = (response: Answering): string => (response[id] ??= randomUUID());

/** Sends HSTS with the response, so that browsers only use TLS from then on. */
export const enableHsts = (response: Answering): void => void (response[tlsOnly] = true);

/**
 * Writes the head of every response. Unless a response has its own `Cache-Control`, proxies and
 * browsers do not cache it, because most contain recorded data, and some a secret. All fields are
 * passed to Node in one list: setting them one by one costs several times as much, and thousands of
 * responses are sent per second.
 */
export function writeHead(
  response: Answering,
  status: number,
  fields: Readonly<Record<string, string | number>> = {},
): ServerResponse {
  const list = ['X-Request-Id', requestIdOf(response), ...safe];
  if (response[tlsOnly]) list.push(...TLS_ONLY);
  if (!response.hasHeader('Cache-Control')) list.push('Cache-Control', 'no-store');
  for (const [name, value] of Object.entries(fields)) list.push(name, String(value));
  return response.writeHead(status, list);
}

/** Sets the same fields, except Cache-Control, for responses whose head is written elsewhere. */
export function setCommonHeaders(response: Answering): void {
  response.setHeaders(new Map(Object.entries({ 'X-Request-Id': requestIdOf(response), ...SAFE })));
  if (response[tlsOnly]) response.setHeader(...TLS_ONLY);
}
