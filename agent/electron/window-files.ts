import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The media types of the window's files, by path. */
const types: Record<string, string> = {
  '/index.html': 'text/html; charset=utf-8',
  '/renderer.js': 'text/javascript; charset=utf-8',
  '/renderer.css': 'text/css; charset=utf-8',
};

const headers = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
};

/** Serves a file of the window with its Content Security Policy; 404 for all other URLs. */
export async function serveFile(folder: string, url: string): Promise<Response> {
  const { pathname } = new URL(url);
  const type = types[pathname];
  if (!type) return new Response('not found', { status: 404, headers });
  const body = await readFile(join(folder, pathname));
  return new Response(body, { headers: { ...headers, 'Content-Type': type } });
}
