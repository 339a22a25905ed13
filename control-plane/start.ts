import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import pino from 'pino';
import { deviceApp, mainApp } from './app.ts';
import { keepExports } from './audit/export/keep-exports.ts';
import { bootstrap } from './startup/bootstrap.ts';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import { openPrices } from './costs/prices-file.ts';
import { pricers } from './costs/pricers.ts';
import { createDeviceServer } from './devices/device-listener.ts';
import { type FirstCredentials, forgetCredentials } from './startup/first-credentials.ts';
import { keepInventory } from './inventory/keep-inventory.ts';
import { answerClientErrors } from './http/client-errors.ts';
import { serveDeviceChannel } from './http/device-channel.ts';
import { drainable } from './http/draining.ts';
import { keepConnections } from './http/kept-connections.ts';
import { serveLive } from './http/live.ts';
import { rememberKeys } from './identity/api-keys/api-key-cache.ts';
import { newId } from './lib/ids.ts';
import { maskers } from './masking/masker.ts';
import { startTraceMaintenance } from './otel/maintenance/maintenance-job.ts';
import { createMetrics } from './metrics/metrics.ts';
import { watch } from './metrics/watch.ts';
import { createGovernance } from './policy/governance.ts';
import { throttledNotifier } from './recording/notify.ts';
import { createRecorder } from './recording/recorder.ts';
import { startCountingEarlierUsage } from './prompts/count-earlier-usage.ts';
import { keepRetention } from './retention/retention.ts';
import { openSecretKey } from './startup/secret-key.ts';
import { deriveSecrets, readSecretKey } from './startup/secrets.ts';
import { createShutdown } from './startup/shutdown.ts';
import { withSettings } from './startup/setting-error.ts';
import { lockFolder } from './storage/folder-lock.ts';
import type { MigrationsOf } from './storage/migrate.ts';
import { openStorage } from './storage/open.ts';

/** Time for requests to clean up after their connection was cut. */
const SETTLE_MS = 1000;

export interface ControlPlane {
  urls: { public: string; device: string };
  /** Only on the first start, on an empty database. */
  firstCredentials: FirstCredentials | null;
  /** Call once they were printed: later starts do not print them. */
  credentialsShown(): void;
  close(): Promise<void>;
}

/** Starts the whole control plane: storage, both listeners, both WebSockets. */
export async function startControlPlane(
  config: Config,
  now: () => number = Date.now,
  logTo: pino.DestinationStream = pino.destination(2),
  migrations?: MigrationsOf,
): Promise<ControlPlane> {
  const log = pino({ level: config.logLevel, base: null }, logTo);
  // Disposed in reverse order: when the control plane closes, or here if it fails to start.
  await using opened = new AsyncDisposableStack();
  await withSettings(['DATA_DIR'], 'preparing the data folder', () => {
    // PostgreSQL may be shared; a SQLite database belongs to one process.
    if (!config.databaseUrl) opened.defer(lockFolder(config.dataDir));
    // Checked before anything is created.
    readSecretKey(config.secretKey, config.dataDir);
  });
  const prices = await openPrices(config.pricesFile);
  const storage = await openStorage({
    ...config,
    migrations,
    onProblem: (message) => log.error(message),
  });
  opened.defer(() => storage.close());
  const secretKey = await openSecretKey(config, storage.db);
  const secrets = deriveSecrets(secretKey.key);
  const shutdown = createShutdown();
  opened.defer(() => shutdown.settled(SETTLE_MS));
  const urls = { public: config.publicUrl ?? '', device: config.deviceUrl ?? '' };
  const maskerOf = maskers(storage);
  const context: Context = {
    config,
    storage,
    findKey: rememberKeys(storage),
    prices,
    pricerOf: pricers(storage, prices),
    maskerOf,
    recorder: createRecorder(storage, now, throttledNotifier(storage.signals)),
    governance: createGovernance({
      storage,
      maskerOf,
      now,
      newId: (prefix) => newId(prefix, now()),
      onProblem: (message) => log.error(message),
    }),
    log,
    urls,
    now,
    secrets,
    shutdown,
    metrics: createMetrics(),
    newId: (prefix) => newId(prefix, now()),
  };
  const firstCredentials = await bootstrap(context);
  await secretKey.verify(storage.db, secrets);
  opened.defer(keepRetention(context));
  opened.defer(keepExports(context));
  opened.defer(startCountingEarlierUsage(context));
  opened.defer(startTraceMaintenance(context));
  opened.defer(keepInventory(context));
  const device = await createDeviceServer(context);
  const main = createServer(mainApp(context));
  device.on('request', deviceApp(context));
  answerClientErrors(main, '/');
  answerClientErrors(device, '/api/svc/');
  watch(context, { main, device });
  const drains = [main, device].map((server) => drainable(server, shutdown.signal));
  opened.defer(async () => {
    await Promise.all(drains.map((drain) => drain(config.connections.drainSeconds * 1000)));
  });
  for (const server of [main, device])
    keepConnections(server, config.connections, (problem) => log.warn(problem));
  for (const closeChannel of [serveDeviceChannel(device, context), serveLive(main, context)])
    opened.defer(closeChannel);
  const at = { host: config.host };
  await withSettings(['HOST', 'PORT'], 'listening', () =>
    listen(main, { ...at, port: config.port }),
  );
  await withSettings(['HOST', 'DEVICE_PORT'], 'listening for devices', () =>
    listen(device, { ...at, port: config.devicePort }),
  );
  urls.public ||= `http://localhost:${portOf(main)}`;
  urls.device ||= `https://localhost:${portOf(device)}`;
  if (config.app.teamId === null)
    log.warn(
      'APPLE_TEAM_ID is not set: mdm-profile/ answers 409, because a profile names the Apple team',
    );
  const running = opened.move();
  return {
    urls,
    firstCredentials,
    credentialsShown: () => forgetCredentials(config.dataDir),
    close() {
      shutdown.begin();
      return running.disposeAsync();
    },
  };
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

function listen(server: Server, at: { host: string; port: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(at, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
