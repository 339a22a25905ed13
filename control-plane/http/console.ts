import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import express, { type Express } from 'express';

/** Pages of the console; other paths return 404. Session and user ids are chosen by agents. */
const names =
  'devices apps inventory-rules flows captures guard runs llm-calls sessions users costs prompts policies incidents approvals access account api-keys audit sub-tenants';
const pages = new RegExp(`^/((${names.replaceAll(' ', '|')})(/[^/]+)?/?)?$`);

const index = fileURLToPath(import.meta.resolve('#control-plane/console/dist/index.html'));
const built = dirname(index);

/** The built web console; every page can be opened directly. */
export function mountConsole(app: Express): void {
  const files = { index: false, redirect: false } as const;
  // File names contain a content hash, so another build has other names.
  app.use(
    '/assets',
    express.static(join(built, 'assets'), { ...files, maxAge: '1y', immutable: true }),
  );
  app.use(express.static(built, { ...files, maxAge: '1h' }));
  app.get(pages, (request, response, next) => {
    if (!request.accepts('html')) return next();
    if (!existsSync(index))
      return void response
        .status(503)
        .type('text')
        .send('The console has not been built: run npm run build:console');
    response.sendFile(index, { maxAge: 0 });
  });
}
