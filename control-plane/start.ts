import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import pino from 'pino';
import { deviceApp, mainApp } from './app.ts';
import { bootstrap, type FirstCredentials } from './bootstrap.ts';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import { createDeviceServer } from './device-listener.ts';
import { serveDeviceChannel } from './http/device-channel.ts';
import { serveLive } from './http/live.ts';
import { newId } from './ids.ts';
import { deriveSecrets, loadSecretKey } from './secrets.ts';
import { openStorage } from './storage/open.ts';

export interface ControlPlane {
  urls: { public: string; device: string };
  /** Only on the first start, on an empty database. */
  firstCredentials: FirstCredentials | null;
  close(): Promise<void>;
}

/** Starts the whole control plane: storage, both listeners, both WebSockets. */
export async function startControlPlane(
  config: Config,
  now: () => number = Date.now,
): Promise<ControlPlane> {
  const log = pino({ level: config.logLevel, base: null }, pino.destination(2));
  const storage = await openStorage({ ...config, onProblem: (line) => log.error(line) });
  const urls = { public: config.publicUrl ?? '', device: config.deviceUrl ?? '' };
  const context: Context = {
    config,
    storage,
    log,
    urls,
    now,
    secrets: deriveSecrets(loadSecretKey(config.secretKey, config.dataDir)),
    newId: (prefix) => newId(prefix, now()),
  };
  const servers: Server[] = [];
  try {
    const firstCredentials = await bootstrap(context);
    const device = await createDeviceServer(context);
    const main = createServer(mainApp(context));
    device.on('request', deviceApp(context));
    const closeChannels = [serveDeviceChannel(device, context), serveLive(main, context)];
    for (const [server, port] of [
      [main, config.port],
      [device, config.devicePort],
    ] as const) {
      await listen(server, port, config.host);
      servers.push(server);
    }
    urls.public ||= `http://localhost:${portOf(main)}`;
    urls.device ||= `https://localhost:${portOf(device)}`;
    const close = async (): Promise<void> => {
      for (const closeChannel of closeChannels) closeChannel();
      await Promise.all(servers.map(stop));
      await storage.close();
    };
    return { urls, firstCredentials, close };
  } catch (error) {
    await Promise.all(servers.map(stop));
    await storage.close();
    throw error;
  }
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** Requests under way are answered; connections that only wait are closed. */
function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
    setTimeout(() => server.closeAllConnections(), 2000).unref();
  });
}
