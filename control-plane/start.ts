import { createServer } from 'node:http';
import type { AddressInfo, Server as NetServer } from 'node:net';
import pino from 'pino';
import { deviceApp, mainApp } from './app.ts';
import { startExportJob } from './audit/export/export-job.ts';
import { callerOfHeaders } from './authenticate.ts';
import type { KeyCaller } from './http/caller.ts';
import { bootstrap } from './startup/bootstrap.ts';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import { createContext } from './create-context.ts';
import { openPrices } from './costs/operator-price-file.ts';
import { callerOfDevice } from './authenticate.ts';
import { startPendingDeletionJob } from './pending-deletions/pending-deletion-job.ts';
import { closeRevoked } from './devices/close-revoked.ts';
import { createDeviceServer } from './devices/device-listener.ts';
import type { CertificateRequest } from './http/client-certificate.ts';
import { type FirstCredentials, forgetCredentials } from './startup/first-credentials.ts';
import { startInventoryJobs } from './inventory/inventory-jobs.ts';
import { startExperimentJob } from './experiments/experiment-job.ts';
import { handleClientErrors } from './http/client-errors.ts';
import { serveDeviceChannel } from './guard/delivery/device-channel.ts';
import { drainable } from './http/draining.ts';
import { keepConnectionsAlive } from './http/idle-connections.ts';
import { serveLive } from './live.ts';
import { startTraceMaintenance } from './otel/maintenance/maintenance-job.ts';
import { registerGauges } from './metrics/register-gauges.ts';
import { startNotificationJobs } from './notifications/notification-jobs.ts';
import { startCountingHours } from './analytics/hours/count-hours.ts';
import { startCountingEarlierUsage } from './prompts/count-earlier-usage.ts';
import { startRetentionJob } from './retention/retention.ts';
import { openSecretKey } from './startup/secret-key.ts';
import { deriveSecrets, readSecretKey } from './lib/derived-keys.ts';
import { createShutdown } from './startup/shutdown.ts';
import { withSettings } from './lib/setting-error.ts';
import { lockFolder } from './storage/folder-lock.ts';
import type { MigrationsOf } from './storage/migrate.ts';
import { openStorage } from './storage/open.ts';

/** The time that requests have to clean up after their connection was closed. */
const SETTLE_MS = 1000;

export interface ControlPlane {
  urls: { public: string; device: string; otlpGrpc?: string };
  /** Only set on the first start, with an empty database. */
  firstCredentials: FirstCredentials | null;
  /** Must be called once they were printed, so that later starts do not print them. */
  credentialsShown(): void;
  close(): Promise<void>;
}

/** The background jobs, which run from the start. Each returns a function that stops it. */
const jobs = [
  startRetentionJob,
  startExportJob,
  startCountingEarlierUsage,
  startTraceMaintenance,
  startInventoryJobs,
  startCountingHours,
  startExperimentJob,
  startPendingDeletionJob,
];

/** Starts the whole control plane: storage, both listeners, both WebSockets. */
export async function startControlPlane(
  config: Config,
  now: () => number = Date.now,
  logTo: pino.DestinationStream = pino.destination(2),
  migrations?: MigrationsOf,
): Promise<ControlPlane> {
  const log = pino({ level: config.logLevel, base: null }, logTo);
  // The stack is disposed in reverse order when the control plane closes, or here if it fails to
  // start.
  await using opened = new AsyncDisposableStack();
  await withSettings(['DATA_DIR'], 'preparing the data folder', () => {
    // PostgreSQL may be shared, but a SQLite database belongs to one process.
    if (!config.databaseUrl) opened.defer(lockFolder(config.dataDir));
    // The key is checked before anything is created.
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
  const context = createContext({ config, storage, prices, secrets, shutdown, log, now });
  const firstCredentials = await bootstrap(context);
  await secretKey.verify(storage.db, secrets);
  for (const start of jobs) opened.defer(start(context));
  const { main, device, drains } = await startServers(context, opened);
  const grpc = await startGrpc(context);
  if (grpc) drains.push(grpc.drain);
  context.urls.public ||= `http://localhost:${portOf(main)}`;
  context.urls.device ||= `https://localhost:${portOf(device)}`;
  // The messages contain `context.urls.public`.
  opened.defer(startNotificationJobs(context));
  if (config.app.teamId === null)
    log.warn(
      'APPLE_TEAM_ID is not set: mdm-profile/ answers 409, because a profile names the Apple team',
    );
  const running = opened.move();
  return {
    urls: { ...context.urls, ...(grpc && { otlpGrpc: grpc.url }) },
    firstCredentials,
    credentialsShown: () => forgetCredentials(config.dataDir),
    close() {
      shutdown.begin();
      return running.disposeAsync();
    },
  };
}

/** Starts both listeners with their WebSockets. Adds the functions that close them to `opened`. */
async function startServers(context: Context, opened: AsyncDisposableStack) {
  const { host, port, devicePort, connections } = context.config;
  const main = createServer(mainApp(context));
  const device = await createDeviceServer(context);
  const callerOf = (request: CertificateRequest) => callerOfDevice(context, request);
  device.once('close', closeRevoked(device, context, callerOf));
  device.on('request', deviceApp(context));
  handleClientErrors(main, '/');
  handleClientErrors(device, '/api/svc/');
  registerGauges(context, { main, device });
  const drains = [main, device].map((server) => drainable(server, context.shutdown.signal));
  opened.defer(async () => {
    await Promise.all(drains.map((drain) => drain(connections.drainSeconds * 1000)));
  });
  for (const server of [main, device])
    keepConnectionsAlive(server, connections, (problem) => context.log.warn(problem));
  opened.defer(serveDeviceChannel(device, context, callerOf));
  opened.defer(serveLive(main, context));
  await withSettings(['HOST', 'PORT'], 'listening', () => listen(main, { host, port }));
  await withSettings(['HOST', 'DEVICE_PORT'], 'listening for devices', () =>
    listen(device, { host, port: devicePort }),
  );
  return { main, device, drains };
}

/** Starts OTLP over gRPC if a port is set for it. */
async function startGrpc(context: Context) {
  const { host, otlpGrpcPort: port } = context.config;
  if (port === undefined) return undefined;
  const { createGrpcServer } = await import('./otel/grpc/server.ts');
  const { server, drain } = createGrpcServer(context, {
    callerOf: async (headers, route) =>
      (await callerOfHeaders(context, headers, route)) as KeyCaller,
  });
  await withSettings(['HOST', 'OTLP_GRPC_PORT'], 'listening for gRPC', () =>
    listen(server, { host, port }),
  );
  return { url: `http://localhost:${portOf(server)}`, drain };
}

const portOf = (server: NetServer): number => (server.address() as AddressInfo).port;

function listen(server: NetServer, at: { host: string; port: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(at, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
