import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '#contract/client.ts';
import type { GuardFields } from '#contract/guard.ts';
import { contract } from '#contract/index.ts';
import { API_KEY, OWNER, type TestClient } from '../control-plane.ts';
import { built, eventually, type Program, run } from '../processes.ts';
import { CONTROL_PLANE, deliver, type Files, withFiles, writeFiles } from './files.ts';
import { bootNetwork, type Network } from './network.ts';

/** What a client trusts: public authorities only, or what device management adds as well. */
export type Trust = 'world' | 'managed';

export interface Ended {
  code: number | string | null;
  out: string;
  err: string;
}

/** A program that runs on the device. */
export interface Running {
  ended: Promise<Ended>;
  /** What it has printed so far. */
  out: () => string;
}

/** A control plane, the servers of AI providers, and a device with an agent: all are processes. */
export interface CaptureWorld extends AsyncDisposable {
  owner: TestClient;
  upstreams: Program;
  /** Puts this into the global layer of Guard, and waits until the device has applied it. */
  guard: (config: Partial<GuardFields>) => Promise<void>;
  startAgent: () => Promise<Program>;
  start: (command: readonly string[], trust: Trust) => Running;
  /** The addresses whose connections the kernel takes to the agent. */
  redirected: () => Promise<string>;
  /** All that the control plane and the agents have written: files, and what they printed. */
  written: () => string;
}

const UPSTREAMS = 'test/support/capture-world/upstreams.ts';

/** `servers` is the program of the AI providers. */
export async function startCaptureWorld(servers = UPSTREAMS): Promise<CaptureWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-capture-'));
  const home = mkdtempSync(join(tmpdir(), 'gatehouse-home-'));
  const network = await bootNetwork();
  const programs: Program[] = [];
  const clients: ChildProcess[] = [];
  const keep = (program: Program): Program => {
    programs.push(program);
    return program;
  };
  const files = await writeFiles(folder);
  const upstreams = await startUpstreams(servers, network, files);
  keep(await startControlPlane(network, folder));
  const owner = await deploy(network, files);
  const onDevice = [...network.onDevice, ...withFiles(files)];

  const start: CaptureWorld['start'] = (command, trust) => {
    const [nsenter = '', ...args] = [...onDevice, ...command];
    const env = {
      PATH: `${process.env.PATH}:/usr/sbin:/sbin`,
      HOME: home,
      NODE_EXTRA_CA_CERTS: files[trust],
      SSL_CERT_FILE: files[trust],
    };
    const client = spawn(nsenter, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    clients.push(client);
    return readOutput(client);
  };
  const startAgent = async (): Promise<Program> => {
    const environment = {
      MANAGED_PREFERENCES: files.preferences,
      AGENT_TRUSTED_ROOTS: files.roots,
      AGENT_STATE_DIR: files.state,
      AGENT_HEARTBEAT_SECONDS: '0.5',
      AGENT_FLOW_UPLOAD_SECONDS: '0.2',
      NODE_EXTRA_CA_CERTS: files.world,
    };
    const agent = keep(run('agent/headless.ts', environment, onDevice));
    await agent.said('agent started');
    return agent;
  };

  return {
    owner,
    upstreams,
    startAgent,
    start,
    async guard(config) {
      await owner.guard.putLayer({ body: { layer: 'global', config } });
      await eventually(
        async () => (await owner.fleet.listDevices({ query: {} })).results[0],
        (device) => device !== undefined && device.applied_version === device.config_version,
      );
    },
    redirected: async () => {
      const { ended } = start(['nft', 'list', 'table', 'inet', 'gatehouse'], 'world');
      return (await ended).out;
    },
    written: () => [...filesIn(folder), ...programs.map((program) => program.output())].join('\n'),
    async [Symbol.asyncDispose]() {
      for (const client of clients) client.kill('SIGKILL');
      for (const program of [...programs.toReversed(), upstreams]) await program.end('SIGKILL');
      await network[Symbol.asyncDispose]();
      for (const each of [folder, home]) rmSync(each, { recursive: true, force: true });
    },
  };
}

async function startUpstreams(
  program: string,
  { onInternet }: Network,
  files: Files,
): Promise<Program> {
  const upstreams = run(program, { KEY: files.key, CERTIFICATE: files.certificate }, onInternet);
  await upstreams.said('listening');
  return upstreams;
}

async function startControlPlane(network: Network, folder: string): Promise<Program> {
  const data = join(folder, 'data');
  mkdirSync(data);
  const environment = {
    PUBLIC_URL: urlOf(network),
    DEVICE_URL: `https://${CONTROL_PLANE}:8443`,
    DATA_DIR: data,
    BOOTSTRAP_API_KEY: API_KEY,
    BOOTSTRAP_ADMIN_EMAIL: OWNER.email,
    BOOTSTRAP_ADMIN_PASSWORD: OWNER.password,
  };
  const program = run(built.controlPlane, environment, network.onInternet);
  await program.said('devices ');
  return program;
}

const urlOf = ({ address }: Network): string => `http://${address}:8080`;

/** Gets the tenant's profile onto the device, and signs the owner in. */
async function deploy(network: Network, files: Files): Promise<TestClient> {
  const by = (headers: Record<string, string>): TestClient =>
    createClient(contract, { baseUrl: urlOf(network), headers: () => headers });
  const profile = await by({ 'X-Svc-Key': API_KEY }).deployment.getMdmProfile({ query: {} });
  deliver(profile, files);
  const { token } = await by({}).identity.login({ body: OWNER });
  return by({ Authorization: `Bearer ${token}` });
}

function readOutput(child: ChildProcess): Running {
  const said = { out: '', err: '' };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (said.out += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (said.err += text));
  const ended = new Promise<Ended>((resolve) => {
    child.on('close', (code, signal) => resolve({ code: code ?? signal, ...said }));
  });
  return { ended, out: () => said.out };
}

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'));
