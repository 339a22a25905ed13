import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import express, { type Express } from 'express';

const built = dirname(
  fileURLToPath(import.meta.resolve('#control-plane/sdk-packages/dist/package')),
);

/**
 * Serves the packages of the SDKs under `/sdk/`, so that `npm` and `pip` install the version of this
 * control plane, also without access to a package registry.
 */
export function mountSdkPackages(app: Express): void {
  app.use('/sdk', express.static(built, { index: false, redirect: false, maxAge: '1h' }));
  app.get('/sdk/:name', (_request, response, next) => {
    if (existsSync(built)) next();
    else
      response
        .status(503)
        .type('text')
        .send('The SDK packages have not been built: run npm run build:sdk-packages');
  });
}
