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

const TLS_ONLY = ['Strict-Transport-Security', 'max-age=31536000'] as const;

const id = Symbol('request id');
const tlsOnly = Symbol('TLS only');
type Answering = ServerResponse & { [id]?: string; [tlsOnly]?: true };

/** By which an answer is found in the log. */
export const requestIdOf = (response: Answering): string => (response[id] ??= randomUUID());

/** Browsers are told to come by TLS from now on. */
export const demandTls = (response: Answering): void => void (response[tlsOnly] = true);

/**
 * The head of every answer of ours. Nobody between keeps one, nor does a browser, unless its own
 * `Cache-Control` says so: most hold what was recorded, and some a secret. All fields go to Node in one list: each that is set before
 * costs several times as much, and thousands are answered in a second.
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

/** The same for answers whose head others write. */
export function setCommonFields(response: Answering): void {
  response.setHeaders(new Map(Object.entries({ 'X-Request-Id': requestIdOf(response), ...SAFE })));
  if (response[tlsOnly]) response.setHeader(...TLS_ONLY);
}
