import type { ServerResponse } from 'node:http';

export const JSON_TYPE = 'application/json; charset=utf-8';

export const sendJson = (response: ServerResponse, status: number, value: unknown): void =>
  sendBytes(response, status, JSON.stringify(value), JSON_TYPE);

/** Without a type, the one that was set before. */
export function sendBytes(
  response: ServerResponse,
  status: number,
  content: string | Uint8Array,
  type?: string,
): void {
  response
    .writeHead(status, {
      'Content-Length': Buffer.byteLength(content),
      ...(type && { 'Content-Type': type }),
    })
    .end(content);
}
