import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '#contract/client.ts';
import { contract } from '#contract/index.ts';
import { readConfig } from '#control-plane/config.ts';
import { startControlPlane } from '#control-plane/start.ts';

export const RECORDING_KEY = 'svc_sk_0123456789abcdef0123456789abcdef';
const OWNER = { email: 'owner@example.test', password: 'correct horse battery' };

/** Starts a real control plane on an empty SQLite database, for a command. */
export async function startOwnControlPlane() {
  const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-clients-'));
  const config = readConfig({
    HOST: '127.0.0.1',
    PORT: '0',
    DEVICE_PORT: '0',
    DATA_DIR: dataDir,
    BOOTSTRAP_API_KEY: RECORDING_KEY,
    BOOTSTRAP_ADMIN_EMAIL: OWNER.email,
    BOOTSTRAP_ADMIN_PASSWORD: OWNER.password,
    DRAIN_SECONDS: '1',
    LOG_LEVEL: 'error',
  });
  if ('error' in config) throw new Error(config.error);
  const controlPlane = await startControlPlane(config, Date.now);
  const { urls } = controlPlane;
  const by = (headers: Record<string, string>) =>
    createClient(contract, { baseUrl: urls.public, headers: () => headers });
  const { token } = await by({}).identity.login({ body: OWNER });
  return {
    urls,
    byOwner: by({ Authorization: `Bearer ${token}` }),
    async stop() {
      await controlPlane.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
