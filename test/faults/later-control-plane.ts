/** The control plane of a simulated later version, which has further migrations. */
import pino from 'pino';
import { readConfig } from '#control-plane/config.ts';
import { startControlPlane } from '#control-plane/start.ts';
import { banner } from '#control-plane/startup/banner.ts';
import { stopOnSignal } from '#control-plane/startup/shutdown.ts';
import { laterMigrations } from '../support/migrations.ts';

const config = readConfig();
if ('error' in config) throw new Error(config.error);
const controlPlane = await startControlPlane(
  config,
  Date.now,
  pino.destination(2),
  laterMigrations,
);
stopOnSignal(
  ['SIGINT', 'SIGTERM'],
  () => controlPlane.close(),
  (error) => {
    throw error;
  },
);
process.stdout.write(banner(config.app.name, controlPlane), () => controlPlane.credentialsShown());
