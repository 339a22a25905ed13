import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type Config, readConfig } from '#control-plane/config.ts';
import { createOnce } from '#control-plane/lib/private-file.ts';
import { readLocalConfig } from '#control-plane/startup/local/config.ts';

export interface DevConfig {
  /** The environment of the control plane. */
  env: NodeJS.ProcessEnv;
  controlPlane: Config;
  /** The port of Vite's server, which serves the console. */
  consolePort: number;
  credentials: Credentials;
}

const port = z.coerce.number().int().min(1).max(65_535);

/**
 * The settings of `npm run dev`: those of `npm start`, with a data folder of its own, and
 * CONSOLE_PORT. Makes the credentials on the first start.
 */
export function readDevConfig(env: NodeJS.ProcessEnv = process.env): DevConfig | { error: string } {
  const consolePort = port.safeParse(env['CONSOLE_PORT'] || 5173);
  if (!consolePort.success)
    return { error: 'CONSOLE_PORT: expected a whole number from 1 to 65535' };
  const defaults = {
    DATA_DIR: join('data', 'dev'),
    // Sign-in, links and downloads go through Vite's server.
    PUBLIC_URL: `http://localhost:${consolePort.data}`,
    // A restart does not wait long for the browser's open connections.
    DRAIN_SECONDS: '1',
  };
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const settings = { ...defaults, ...given };
  const read = readLocalConfig(settings);
  if ('error' in read) return read;
  if (read.port === 0) return { error: 'PORT: expected a fixed port, found 0' };
  const credentials = credentialsIn(read);
  const complete = {
    ...settings,
    BOOTSTRAP_ADMIN_EMAIL: credentials.email,
    BOOTSTRAP_ADMIN_PASSWORD: credentials.password,
    BOOTSTRAP_API_KEY: credentials.apiKey,
  };
  const controlPlane = readConfig(complete, { HOST: read.host });
  if ('error' in controlPlane) return controlPlane;
  return { env: complete, controlPlane, consolePort: consolePort.data, credentials };
}

const credentials = z.object({ email: z.string(), password: z.string(), apiKey: z.string() });

type Credentials = z.infer<typeof credentials>;

/** Made once and kept with the data, so that each start can print them. */
function credentialsIn({ dataDir, bootstrap }: Config): Credentials {
  const file = join(dataDir, 'dev-credentials.json');
  const made: Credentials = {
    email: bootstrap.email ?? 'dev@gatehouse.local',
    password: bootstrap.password ?? randomBytes(12).toString('base64url'),
    apiKey: bootstrap.apiKey ?? `svc_sk_${randomBytes(32).toString('hex')}`,
  };
  createOnce(file, `${JSON.stringify(made, null, 2)}\n`);
  return credentials.parse(JSON.parse(readFileSync(file, 'utf8')));
}
