import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import type { Express } from 'express';
import { contract } from '#contract/index.ts';
import { openApiOf } from '#contract/openapi.ts';

const PAGE = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>API</title><link rel="stylesheet" href="/docs/swagger-ui.css"></head>
<body><div id="docs"></div><script src="/docs/swagger-ui-bundle.js"></script><script src="/docs/open.js"></script></body>
</html>`;

const OPEN = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#docs', deepLinking: true });`;

/** Serves `/openapi.json`, and `/docs` for reading it. */
export function mountDocumentation(
  app: Express,
  { title, version }: { title: string; version: string },
): void {
  // The document is created on the first request, because that takes longer than the rest of
  // startup.
  let document: object | undefined;
  const assets = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  app.get('/openapi.json', (_request, response) => {
    document ??= openApiOf(contract, { title, version });
    response.json(document);
  });
  app.get('/docs', (_request, response) => {
    // Swagger UI sets style attributes and shows inline images.
    response.setHeader(
      'Content-Security-Policy',
      "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:",
    );
    response.type('html').send(PAGE);
  });
  app.get('/docs/open.js', (_request, response) => void response.type('js').send(OPEN));
  // Only these files are served, because the package also contains a page that opens another API,
  // and npm metadata.
  for (const name of ['swagger-ui.css', 'swagger-ui-bundle.js'])
    app.get(`/docs/${name}`, (_request, response) => response.sendFile(name, { root: assets }));
}
