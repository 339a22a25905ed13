import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { writeHead } from './head.ts';
import { JSON_TYPE, sendBytes } from './send.ts';

/**
 * Sends JSON with an entity tag, or 304 without a body if `If-None-Match` has the same tag (RFC
 * 9110, 13.1.2).
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

/**
 * Whether the header contains the tag. Tags are compared weakly, because a proxy that compresses
 * makes our tags weak.
 */
export const namesTag = (header: string | undefined, tag: string): boolean =>
  header
    ?.split(',')
    .some(
      (candidate) => candidate.trim() === '*' || candidate.trim().replace(/^W\//, '') === tag,
    ) ?? false;
