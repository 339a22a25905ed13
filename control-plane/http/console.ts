import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import express, { type Express } from 'express';

/**
 * The pages that the console has; whatever else is asked for is not there. Sessions and users have
 * the ids that agents gave them.
 */
const names =
  'devices apps inventory-rules flows captures guard runs llm-calls sessions users costs prompts policies incidents approvals access account api-keys audit sub-tenants';
const pages = new RegExp(`^/((${names.replaceAll(' ', '|')})(/[^/]+)?/?)?$`);

const index = fileURLToPath(import.meta.resolve('#control-plane/console/dist/index.html'));
const built = dirname(index);

/** The built web console; any page of it may be opened directly. */
export function mountConsole(app: Express): void {
  const files = { index: false, redirect: false } as const;
  // Their names say what is in them: of another build they have others.
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
        .send('The console is not built yet: npm run build:console');
    response.sendFile(index, { maxAge: 0 });
  });
}
