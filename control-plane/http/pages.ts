import type { RequestListener } from 'node:http';
import express, { type NextFunction, type Request, type Response } from 'express';
import { mountConsole, mountNotFoundPage } from './console.ts';
import { mountDocumentation } from './documentation.ts';
import { setCommonHeaders } from './head.ts';
import type { HttpContext } from './http-context.ts';
import { routeNotFound, refuse } from './listener.ts';
import { mountSdkPackages } from './sdk-packages.ts';

/** Serves files and pages, which are not in the contract. */
export function createPages(context: HttpContext): RequestListener {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use((_request, response, next) => {
    setCommonHeaders(response);
    next();
  });
  mountDocumentation(app, { title: context.config.app.name, version: context.version });
  mountSdkPackages(app);
  mountConsole(app);
  mountNotFoundPage(app);
  // This is the last handler: unmatched requests get 404, and every error gets its format.
  app.use((request) => {
    throw routeNotFound(request);
  });
  app.use((error: unknown, request: Request, response: Response, _next: NextFunction) =>
    refuse(context, error, request, response),
  );
  return app;
}
