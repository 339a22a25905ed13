import express, { type Express, type Response } from 'express';
import { existsSync } from 'node:fs';
import { join, dirname } from 'node:path';
import type { RequestHandler } from 'express';
import { acceptsEncoding } from './accepted-encodings.ts';
import { fileURLToPath } from 'node:url';

/** The first segments of the console's paths; other paths return 404. */
const NAMES =
  'dashboards get-started devices apps inventory-rules flows captures guard runs llm-calls scores annotation-queues sessions users coding-agents costs prompts datasets experiments policies incidents approvals access account api-keys audit sub-tenants notifications settings decide playground';
// The second segment is an id. Clients choose the ids of sessions and users, so it may be any text.
const pages = new RegExp(`^/((${NAMES.replaceAll(' ', '|')})(/[^/]+)?/?)?$`);

const index = fileURLToPath(import.meta.resolve('#control-plane/console/dist/index.html'));
const built = dirname(index);

/** Serves the built web console. A browser can open each page by its URL. */
export function mountConsole(app: Express): void {
  const files = { index: false, redirect: false } as const;
  // The file names contain a hash of the content, so these files never change.
  const immutable = { maxAge: '1y', immutable: true } as const;
  const assets = join(built, 'assets');
  app.use('/assets', precompressed(assets, immutable));
  app.use('/assets', express.static(assets, { ...files, ...immutable }));
  app.use(express.static(built, { ...files, maxAge: '1h' }));
  app.get(pages, (request, response, next) => {
    if (request.accepts('html')) sendIndex(response);
    else next();
  });
}

/**
 * Serves the console for all other paths that a browser opens. The console then shows that the page
 * does not exist.
 */
export function mountNotFoundPage(app: Express): void {
  app.get(/^\/(?!api\/|assets\/)/, (request, response, next) => {
    // Clients that accept any type get the error as JSON.
    if (!request.headers.accept?.includes('text/html') || !existsSync(index)) return next();
    response.status(404);
    sendIndex(response);
  });
}

function sendIndex(response: Response): void {
  if (existsSync(index)) response.sendFile(index, { maxAge: 0 });
  else
    response
      .status(503)
      .type('text')
      .send('The console has not been built: run npm run build:console');
}

/**
 * Encodings in order of preference, with the suffixes of the files that the console's build
 * compresses.
 */
const ENCODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

const FILE = /^\/([\w-][\w.-]*\.(js|css|svg))$/;

/** Sends the compressed copy of a file in this folder if there is one that the client accepts. */
export const precompressed =
  (root: string, caching: { maxAge: string; immutable: true }): RequestHandler =>
  (request, response, next) => {
    const [, name = '', type = ''] = FILE.exec(request.path) ?? [];
    if (!name) return next();
    response.vary('Accept-Encoding');
    const found = ENCODINGS.find(
      ([encoding, end]) => acceptsEncoding(request, encoding) && existsSync(join(root, name + end)),
    );
    if (!found) return next();
    const [encoding, end] = found;
    response.setHeader('Content-Encoding', encoding);
    response.type(type).sendFile(name + end, { ...caching, root });
  };
