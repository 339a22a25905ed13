import type { ServerResponse } from 'node:http';
import { writeHead } from './head.ts';

export const JSON_TYPE = 'application/json; charset=utf-8';

export const sendJson = (response: ServerResponse, status: number, value: unknown): void =>
  sendBytes(response, status, JSON.stringify(value), JSON_TYPE);

/** Without a type, the one set before is kept. */
export function sendBytes(
  response: ServerResponse,
  status: number,
  content: string | Uint8Array,
  type?: string,
): void {
  const fields = { 'Content-Length': Buffer.byteLength(content) };
  writeHead(response, status, type ? { ...fields, 'Content-Type': type } : fields).end(content);
}
