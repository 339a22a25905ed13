import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { writeHead } from './head.ts';
import { JSON_TYPE, sendBytes } from './send.ts';

/**
 * Answers JSON with an entity tag, or 304 without a body to whoever says in `If-None-Match` that they
 * have it already (RFC 9110, 13.1.2).
 */
export function sendTagged(
  request: IncomingMessage,
  response: ServerResponse,
  value: unknown,
): void {
  const text = JSON.stringify(value);
  const tag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`;
  response.setHeader('ETag', tag);
  if (namesTag(request.headers['if-none-match'], tag)) writeHead(response, 304).end();
  else sendBytes(response, 200, text, JSON_TYPE);
}

/** Compared weakly: a proxy that compresses makes a weak tag of ours. */
export const namesTag = (header: string | undefined, tag: string): boolean =>
  header?.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === tag) ??
  false;
