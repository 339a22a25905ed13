import type { RequestListener } from 'node:http';
import express, { type NextFunction, type Request, type Response } from 'express';
import type { Context } from '../context.ts';
import { mountConsole } from './console.ts';
import { mountDocumentation } from './documentation.ts';
import { setCommonFields } from './head.ts';
import { nothingHere, refuse } from './listener.ts';

/** Serves what is not in the contract: files and pages. */
export function createPages(context: Context): RequestListener {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use((_request, response, next) => {
    setCommonFields(response);
    next();
  });
  mountDocumentation(app, context.config.app.name);
  mountConsole(app);
  // Last handler: unmatched requests get 404, and every error gets its format.
  app.use((request) => {
    throw nothingHere(request);
  });
  app.use((error: unknown, request: Request, response: Response, _next: NextFunction) =>
    refuse(context, error, request, response),
  );
  return app;
}
