import { createClient, type Client } from '#contract/client.ts';
import { contract } from '#contract/index.ts';
import { readConfig } from '#control-plane/config.ts';
import { type ControlPlane, startControlPlane } from '#control-plane/start.ts';
import { type databases, newDatabase, type TestDatabase } from './databases.ts';
import { fetchAsDocumented } from './documented.ts';

export const OWNER = { email: 'owner@example.test', password: 'correct horse battery' };
export const API_KEY = 'svc_sk_0123456789abcdef0123456789abcdef';

export type TestClient = Client<typeof contract>;

export interface TestControlPlane {
  urls: ControlPlane['urls'];
  /** The URL of the PostgreSQL database. */
  databaseUrl: string | undefined;
  /** A client with the first API key, which has all permissions. */
  byKey: TestClient;
  /** A client that is signed in as the owner. */
  byOwner: TestClient;
  /** A client with the given headers. */
  by(headers: Record<string, string>): TestClient;
  setTime(now: number | undefined): void;
  stop(): Promise<void>;
}

/** The settings of a control plane on this database, on free ports. */
export const settingsOn = ({ dataDir, databaseUrl }: TestDatabase) => ({
  HOST: '127.0.0.1',
  PORT: '0',
  DEVICE_PORT: '0',
  DATA_DIR: dataDir,
  DATABASE_URL: databaseUrl ?? '',
  BOOTSTRAP_API_KEY: API_KEY,
  BOOTSTRAP_ADMIN_EMAIL: OWNER.email,
  BOOTSTRAP_ADMIN_PASSWORD: OWNER.password,
  APPLE_TEAM_ID: 'GATEHOUSE1',
  // Clients of tests keep idle connections open.
  DRAIN_SECONDS: '1',
  LOG_LEVEL: 'error',
});

/** Logs to vitest's console, which shows the output only of failed tests. */
const logOfTest = { write: (line: string) => console.error(line.trimEnd()) };

/** Starts a control plane in this process, with a clock that can be set. */
export async function startOn(database: TestDatabase, env: Record<string, string> = {}) {
  const config = readConfig({ ...settingsOn(database), ...env });
  if ('error' in config) throw new Error(config.error);
  let time: number | undefined;
  const controlPlane = await startControlPlane(config, () => time ?? Date.now(), logOfTest);
  const setTime = (now: number | undefined): void => {
    time = now;
  };
  return { controlPlane, setTime };
}

/** Starts a control plane on an empty database, with further settings. */
export async function startTestControlPlane(
  kind: (typeof databases)[number],
  env: Record<string, string> = {},
): Promise<TestControlPlane> {
  const database = await newDatabase(kind);
  const { controlPlane, setTime } = await startOn(database, env);
  const { urls } = controlPlane;
  const by = (headers: Record<string, string>): TestClient =>
    createClient(contract, {
      baseUrl: urls.public,
      headers: () => headers,
      fetch: fetchAsDocumented,
    });
  const { token } = await by({}).identity.login({ body: OWNER });
  return {
    urls,
    databaseUrl: database.databaseUrl,
    by,
    byKey: by({ 'X-Svc-Key': API_KEY }),
    byOwner: by({ Authorization: `Bearer ${token}` }),
    setTime,
    async stop() {
      await controlPlane.close();
      await database.remove();
    },
  };
}
