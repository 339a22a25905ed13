import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '#contract/client.ts';
import { contract } from '#contract/index.ts';
import { materializeManagedConfig, trustedRoots } from '#profile-builder/materialize.ts';
import { API_KEY, OWNER, type TestClient } from './control-plane.ts';
import { freePort, built, type Program, startProgram } from './processes.ts';

/** A control plane and agents as processes that can be stopped and restarted one by one. */
export interface Fleet {
  folder: string;
  url: string;
  startControlPlane(): Promise<Program>;
  /** Installs the profile, as device management does. */
  installProfile(): Promise<void>;
  startAgent(): Program;
  /** The reports in the spool of the agent, as text. */
  readSpool(): string;
  byOwner(): Promise<TestClient>;
  remove(): void;
}

export async function makeFleet(): Promise<Fleet> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-fleet-'));
  const [port, devicePort] = [await freePort(), await freePort()];
  const url = `http://localhost:${port}`;
  const agent = join(folder, 'agent');
  const files = { plist: join(agent, 'managed.plist'), roots: join(agent, 'roots.pem') };
  const client = (headers: Record<string, string>): TestClient =>
    createClient(contract, { baseUrl: url, headers: () => headers });
  return {
    folder,
    url,
    async startControlPlane() {
      const program = startProgram(built.controlPlane, {
        HOST: '127.0.0.1',
        PORT: String(port),
        DEVICE_PORT: String(devicePort),
        DATA_DIR: join(folder, 'data'),
        BOOTSTRAP_API_KEY: API_KEY,
        BOOTSTRAP_ADMIN_EMAIL: OWNER.email,
        BOOTSTRAP_ADMIN_PASSWORD: OWNER.password,
        APPLE_TEAM_ID: 'GATEHOUSE1',
      });
      await program.waitForOutput('devices ');
      return program;
    },
    async installProfile() {
      const profile = await client({ 'X-Svc-Key': API_KEY }).deployment.getMdmProfile({
        query: {},
      });
      mkdirSync(agent, { recursive: true });
      writeFileSync(files.roots, trustedRoots(profile));
      writeFileSync(files.plist, materializeManagedConfig(profile).plist);
    },
    startAgent: () =>
      startProgram('agent/headless.ts', {
        MANAGED_PREFERENCES: files.plist,
        AGENT_TRUSTED_ROOTS: files.roots,
        AGENT_STATE_DIR: join(agent, 'state'),
        AGENT_HEARTBEAT_SECONDS: '1',
        AGENT_FLOW_UPLOAD_SECONDS: '1',
      }),
    readSpool() {
      const spool = join(agent, 'state/spool');
      return readdirSync(spool)
        .map((name) => readFileSync(join(spool, name), 'utf8'))
        .join('');
    },
    async byOwner() {
      const { token } = await client({}).identity.login({ body: OWNER });
      return client({ Authorization: `Bearer ${token}` });
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
