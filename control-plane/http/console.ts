import express, { type Express, type Response } from 'express';
import { existsSync } from 'node:fs';
import { join, dirname } from 'node:path';
import type { RequestHandler } from 'express';
import { acceptsEncoding } from './accepted-encodings.ts';
import { fileURLToPath } from 'node:url';

/** Pages of the console; other paths return 404. Session and user ids are chosen by agents. */
const NAMES =
  'dashboards get-started devices apps inventory-rules flows captures guard runs llm-calls scores annotation-queues sessions users coding-agents costs prompts datasets experiments policies incidents approvals access account api-keys audit sub-tenants notifications settings decide playground';
const pages = new RegExp(`^/((${NAMES.replaceAll(' ', '|')})(/[^/]+)?/?)?$`);

const index = fileURLToPath(import.meta.resolve('#control-plane/console/dist/index.html'));
const built = dirname(index);

/** The built web console; every page can be opened directly. */
export function mountConsole(app: Express): void {
  const files = { index: false, redirect: false } as const;
  // File names contain a content hash, so another build has other names.
  const forEver = { maxAge: '1y', immutable: true } as const;
  const assets = join(built, 'assets');
  app.use('/assets', precompressed(assets, forEver));
  app.use('/assets', express.static(assets, { ...files, ...forEver }));
  app.use(express.static(built, { ...files, maxAge: '1h' }));
  app.get(pages, (request, response, next) => {
    if (request.accepts('html')) sendIndex(response);
    else next();
  });
}

/** For any other path that a browser opens: the console says that there is no such page. */
export function mountNoPage(app: Express): void {
  app.get(/^\/(?!api\/|assets\/)/, (request, response, next) => {
    // Clients that accept anything are given the error as data.
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

/** Best first, with the end of the file names that the console's build gives them. */
const ENCODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

const FILE = /^\/([\w-][\w.-]*\.(js|css|svg))$/;

/** Sends the compressed copy of a file in this folder, if there is one that the browser takes. */
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
