import { randomUUID } from 'node:crypto';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import { contract } from '#contract/index.ts';
import { ApiError } from '#contract/errors.ts';
import type { RouteGroup } from '#contract/route.ts';
import type { Context } from './context.ts';
import { deviceHandlers } from './endpoint/handlers.ts';
import { fleetHandlers } from './endpoint/fleet/handlers.ts';
import { guardHandlers } from './endpoint/guard/handlers.ts';
import { deploymentHandlers } from './endpoint/profile/handlers.ts';
import type { Handlers } from './http/call.ts';
import { mountConsole } from './http/console.ts';
import { mountDocumentation } from './http/documentation.ts';
import { errorShapeOf, sendError } from './http/errors.ts';
import { mount } from './http/mount.ts';
import { serviceHandlers } from './http/service.ts';
import { identityHandlers } from './identity/handlers.ts';
import { recordingHandlers } from './recording/handlers.ts';
import { runHandlers } from './runs/handlers.ts';

type AllHandlers = { [G in keyof typeof contract]: Handlers<(typeof contract)[G]> };

/** Every route of the contract has its handler here. */
const handlers: AllHandlers = {
  recording: recordingHandlers,
  runs: runHandlers,
  identity: identityHandlers,
  fleet: fleetHandlers,
  guard: guardHandlers,
  device: deviceHandlers,
  deployment: deploymentHandlers,
  service: serviceHandlers,
};

/** The console, recording and administration. */
export function mainApp(context: Context): Express {
  const app = newApp(context);
  mountListener(app, context, 'main');
  mountDocumentation(app, context.config.app.name);
  mountConsole(app);
  return closed(app, context);
}

/** What devices speak to, behind TLS. */
export function deviceApp(context: Context): Express {
  const app = newApp(context);
  mountListener(app, context, 'device');
  return closed(app, context);
}

function mountListener(app: Express, context: Context, listener: 'main' | 'device'): void {
  for (const [name, group] of Object.entries(contract) as [keyof AllHandlers, RouteGroup][]) {
    const served = Object.entries(group).filter(
      ([, route]) => (route.listener ?? 'main') === listener,
    );
    mount(app, context, Object.fromEntries(served), handlers[name] as Handlers<RouteGroup>);
  }
}

function newApp(context: Context): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.use((request, response, next) => {
    const id = randomUUID();
    response.setHeader('X-Request-Id', id);
    response.setHeader('X-Content-Type-Options', 'nosniff');
    response.setHeader('Referrer-Policy', 'same-origin');
    response.setHeader(
      'Content-Security-Policy',
      "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
    );
    response.on('finish', () =>
      context.log.debug(
        { request_id: id, status: response.statusCode },
        `${request.method} ${request.path}`,
      ),
    );
    next();
  });
  return app;
}

/** Last: what nobody served is not there, and no error leaves without its shape. */
function closed(app: Express, context: Context): Express {
  app.use((request) => {
    throw new ApiError('not_found', `there is no ${request.method} ${request.path}`);
  });
  app.use((error: unknown, request: Request, response: Response, _next: NextFunction) => {
    const refusal =
      error instanceof URIError
        ? new ApiError('bad_request', `the address is not well formed: ${request.path}`)
        : error;
    sendError(context, errorShapeOf(request.path), refusal, request, response);
  });
  return app;
}
